-- title: Answers that were cut short
-- id: B04
-- question: How many answers to requests for robots.txt were cut by the archive, or broke off?
-- grain: one row per crawl, origin of the cut (archive or answer) and reason
-- reads: captures
-- no strata: it counts captures, and only sites are in strata
-- parameter: crawl = ''
-- column: cut_by: archive (the crawler recorded that it cut the answer) or answer (the record or its body is incomplete)
-- column: reason: for archive: as the crawler writes it, such as length; for answer: a name from docs/reasons.md
-- column: captures: captures with this reason
-- column: captures_counted: successful captures without revisits, which is the denominator
-- column: share: captures divided by captures_counted
-- column: shortest_bytes: length of the shortest body of these captures, decoded, in bytes
-- column: longest_bytes: length of the longest body of these captures, decoded, in bytes
-- caveat: archive: the crawler recorded that it cut the answer, because of its length, the time, or a broken connection. answer: the head has no end, the body ends too early by its encodings or its Content-Length, or a part of its record is missing or in another record; docs/reasons.md explains these reasons. length-differs may also mean that the body is too long.
-- caveat: An empty body whose head says chunked is not counted: archives with decoded bodies have these, too. It has the remark chunked-absent.
-- caveat: Only successful captures are counted, including those of redirect targets, because only their bodies are read. Revisits are not counted, because they leave out the body on purpose, which some crawlers record as cut by its length. A capture may have several reasons.
-- caveat: A cut answer may have lost rules at its end, and its last line may be incomplete.
WITH read_captures AS (
    SELECT crawl, content_truncated, remarks, body_bytes
    FROM captures
    WHERE access_result = 'successful' AND warc_record_type <> 'revisit' AND ($crawl = '' OR crawl = $crawl)
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
        ('first-segment'),
        ('head-unended'),
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
