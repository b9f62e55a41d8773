-- title: Status codes
-- id: A02
-- question: With which status did servers answer the request for robots.txt?
-- grain: one row per crawl and status
-- reads: captures
-- parameter: crawl crawl = '', name: one crawl; all of them if it is empty
-- chart: bars
-- caveat: An answer whose status line is missing has no status, and its row has none.
SELECT
    crawl,
    fetch_status,
    count(*) AS captures,
    sum(count(*)) OVER (PARTITION BY crawl) AS all_captures,
    count(*) / CAST(sum(count(*)) OVER (PARTITION BY crawl) AS DOUBLE) AS share
FROM captures
WHERE $crawl = '' OR crawl = $crawl
GROUP BY crawl, fetch_status
ORDER BY crawl, captures DESC, fetch_status
