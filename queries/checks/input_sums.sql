-- title: Archives whose records or bytes do not add up
-- grain: one row per crawl, archive and thing that is wrong with it
-- reads: inputs, skips, captures
WITH skipped AS (
    SELECT
        crawl,
        warc_filename,
        sum(CASE WHEN kind = 'skipped' THEN occurrences ELSE 0 END) AS skipped,
        sum(CASE WHEN kind = 'damaged' THEN occurrences ELSE 0 END) AS stretches
    FROM skips
    GROUP BY crawl, warc_filename
),
captured AS (
    SELECT crawl, warc_filename, count(*) AS captures
    FROM captures
    GROUP BY crawl, warc_filename
),
added AS (
    SELECT
        i.*,
        coalesce(s.skipped, 0) AS skipped,
        coalesce(s.stretches, 0) AS stretches,
        coalesce(c.captures, 0) AS rows_of_captures
    FROM inputs AS i
    LEFT JOIN skipped AS s ON s.crawl = i.crawl AND s.warc_filename = i.warc_filename
    LEFT JOIN captured AS c ON c.crawl = i.crawl AND c.warc_filename = i.warc_filename
),
wrong AS (
    SELECT crawl, warc_filename, 'captures' AS what, captures AS said, rows_of_captures AS found
    FROM added WHERE captures <> rows_of_captures
    UNION ALL
    SELECT crawl, warc_filename, 'records' AS what, records AS said, captures + skipped AS found
    FROM added WHERE records <> captures + skipped
    UNION ALL
    SELECT crawl, warc_filename, 'bytes' AS what, bytes AS said, good_bytes + damaged_bytes AS found
    FROM added WHERE bytes <> good_bytes + damaged_bytes
    UNION ALL
    SELECT crawl, warc_filename, 'damage without a reason, or a reason without damage' AS what, damaged_bytes AS said, stretches AS found
    FROM added WHERE (damaged_bytes > 0) <> (stretches > 0)
    UNION ALL
    SELECT crawl, warc_filename, 'error and digest' AS what, 0 AS said, 0 AS found
    FROM added WHERE (error IS NULL) <> (digest IS NOT NULL)
    UNION ALL
    SELECT c.crawl, c.warc_filename, 'captures of an archive that is not there' AS what, 0 AS said, c.captures AS found
    FROM captured AS c
    LEFT JOIN inputs AS i ON i.crawl = c.crawl AND i.warc_filename = c.warc_filename
    WHERE i.warc_filename IS NULL
    UNION ALL
    SELECT s.crawl, s.warc_filename, 'skips of an archive that is not there' AS what, 0 AS said, s.skipped AS found
    FROM skipped AS s
    LEFT JOIN inputs AS i ON i.crawl = s.crawl AND i.warc_filename = s.warc_filename
    WHERE i.warc_filename IS NULL
)
SELECT crawl, warc_filename, what, said, found
FROM wrong
ORDER BY crawl, warc_filename, what
