-- title: Crawls in order
-- question: On which days were the captures of each crawl fetched, and in which order did the crawls start?
-- grain: one row per crawl with a capture
-- reads: captures
-- caveat: crawl_no counts from 1, by the first day, then by name. Names do not decide, because not all of them sort by time.
-- caveat: A crawl whose captures have no time comes first.
WITH crawl_days AS (
    SELECT crawl, CAST(min(fetch_time) AS date) AS first_day, CAST(max(fetch_time) AS date) AS last_day
    FROM captures
    GROUP BY crawl
)
SELECT
    crawl,
    CAST(row_number() OVER (ORDER BY first_day NULLS FIRST, crawl) AS bigint) AS crawl_no,
    first_day,
    last_day
FROM crawl_days
