-- title: Answers that were cut short
-- id: B04
-- question: How many answers to the request for robots.txt were cut short by the archive, or broke off on their way?
-- grain: one row per crawl, place of the cut and reason
-- reads: captures
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: by archive are the answers that the crawler says it cut, for their length, the time they took, or a connection that broke. by answer are those whose body ends before its encodings or its Content-Length say so, or of whose record the end is missing, as docs/reasons.md names it; length-differs may mean a body that is too long as well.
-- caveat: Captures are counted, those of redirect targets among them, and only successful ones, since only their bodies are read. One capture may have several reasons.
-- caveat: An answer that was cut has lost rules at its end, and often a part of one: what stands in its last line may not be what the site wrote.
WITH answered AS (
    SELECT crawl, content_truncated, remarks, body_bytes
    FROM captures
    WHERE access_result = 'successful' AND ($crawl = '' OR crawl = $crawl)
),
total AS (
    SELECT crawl, count(*) AS captures_counted
    FROM answered
    GROUP BY crawl
),
cut AS (
    SELECT crawl, 'archive' AS cut_by, coalesce(content_truncated, '') AS reason, body_bytes
    FROM answered
    WHERE content_truncated IS NOT NULL
    UNION ALL
    SELECT a.crawl, 'answer' AS cut_by, l.reason, a.body_bytes
    FROM answered AS a
    JOIN (VALUES
        ('block-short'),
        ('chunked-cut-short'),
        ('chunked-damaged'),
        ('coding-cut-short'),
        ('coding-damaged'),
        ('length-differs'),
        ('body-over-cap'),
        ('body-over-work')
    ) AS l (reason)
        ON ' ' || a.remarks || ' ' LIKE '% ' || l.reason || ' %'
    WHERE a.remarks IS NOT NULL
),
counted AS (
    SELECT crawl, cut_by, reason, count(*) AS captures, min(body_bytes) AS shortest_bytes, max(body_bytes) AS longest_bytes
    FROM cut
    GROUP BY crawl, cut_by, reason
)
SELECT
    t.crawl,
    c.cut_by,
    c.reason,
    c.captures,
    t.captures_counted,
    CAST(c.captures AS double) / nullif(t.captures_counted, 0) AS share,
    c.shortest_bytes,
    c.longest_bytes
FROM total AS t
JOIN counted AS c ON c.crawl = t.crawl
ORDER BY t.crawl, c.cut_by DESC, c.captures DESC, c.reason
