-- title: Crawls in order
-- question: On which days were the captures of each crawl fetched, and in which order were the crawls made?
-- grain: one row per crawl with a capture
-- reads: captures
-- caveat: crawl_no counts from 1, by the day with the most captures, then by name. One capture with a wrong date therefore does not move a crawl. Names do not decide, because not all of them sort by time.
-- caveat: first_day and last_day are the first and the last day with at least 1 % as many captures as the day with the most.
-- caveat: A crawl whose captures have no time comes first.
WITH captures_by_day AS (
    SELECT crawl, CAST(fetch_time AS date) AS fetch_day, count(*) AS captures
    FROM captures
    GROUP BY crawl, CAST(fetch_time AS date)
),
ranked_days AS (
    SELECT
        crawl,
        fetch_day,
        captures,
        max(CASE WHEN fetch_day IS NOT NULL THEN captures END) OVER (PARTITION BY crawl) AS most_captures,
        row_number() OVER (
            PARTITION BY crawl ORDER BY CASE WHEN fetch_day IS NULL THEN 1 ELSE 0 END, captures DESC, fetch_day
        ) AS place
    FROM captures_by_day
),
crawl_days AS (
    SELECT
        crawl,
        min(CASE WHEN captures * 100 >= most_captures THEN fetch_day END) AS first_day,
        max(CASE WHEN captures * 100 >= most_captures THEN fetch_day END) AS last_day,
        max(CASE WHEN place = 1 THEN fetch_day END) AS main_day
    FROM ranked_days
    GROUP BY crawl
)
SELECT
    crawl,
    CAST(row_number() OVER (ORDER BY main_day NULLS FIRST, crawl) AS bigint) AS crawl_no,
    first_day,
    last_day
FROM crawl_days
