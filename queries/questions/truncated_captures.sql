-- title: Answers that were cut short
-- id: B04
-- question: How many answers to the request for robots.txt were cut short by the archive, or broke off on their way?
-- grain: one row per crawl, place of the cut and reason
-- reads: captures
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: by archive are the answers that the crawler says it cut, for their length, the time they took, or a connection that broke. by answer are those whose body ends before its encodings or its Content-Length say so, or of whose record the end is missing, as docs/reasons.md names it; length-differs may mean a body that is too long as well.
-- caveat: Captures are counted, those of redirect targets among them, and only successful ones, since only their bodies are read. One capture may have several reasons.
-- caveat: An answer that was cut has lost rules at its end, and often a part of one: what stands in its last line may not be what the site wrote.
WITH read_captures AS (
    SELECT crawl, content_truncated, remarks, body_bytes
    FROM captures
    WHERE access_result = 'successful' AND ($crawl = '' OR crawl = $crawl)
),
capture_totals AS (
    SELECT crawl, count(*) AS captures_counted
    FROM read_captures
    GROUP BY crawl
),
cut_captures AS (
    SELECT crawl, 'archive' AS cut_by, coalesce(content_truncated, '') AS reason, body_bytes
    FROM read_captures
    WHERE content_truncated IS NOT NULL
    UNION ALL
    SELECT r.crawl, 'answer' AS cut_by, l.reason, r.body_bytes
    FROM read_captures AS r
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
        ON ' ' || r.remarks || ' ' LIKE '% ' || l.reason || ' %'
    WHERE r.remarks IS NOT NULL
),
cut_totals AS (
    SELECT crawl, cut_by, reason, count(*) AS captures, min(body_bytes) AS shortest_bytes, max(body_bytes) AS longest_bytes
    FROM cut_captures
    GROUP BY crawl, cut_by, reason
)
SELECT
    c.crawl,
    t.cut_by,
    t.reason,
    t.captures,
    c.captures_counted,
    CAST(t.captures AS double) / nullif(c.captures_counted, 0) AS share,
    t.shortest_bytes,
    t.longest_bytes
FROM capture_totals AS c
JOIN cut_totals AS t ON t.crawl = c.crawl
ORDER BY c.crawl, t.cut_by DESC, t.captures DESC, t.reason
