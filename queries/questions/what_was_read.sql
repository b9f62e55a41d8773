-- title: Archives and records read
-- id: A11
-- question: How many archives, bytes and records of each crawl were read, and what became of them?
-- grain: one row per crawl, in the order of the view crawls
-- reads: inputs, skips, captures, sites, crawls
-- no strata: it counts archives and records, and only sites are in strata
-- parameter: crawl = ''
-- column: archives: archives of the crawl
-- column: archives_damaged: of archives, those with a reason of the kind damaged in what_was_skipped
-- column: archives_failed: of archives, those that could not be read, or not to the end
-- column: bytes: bytes of the archives that were read
-- column: good_bytes: bytes of undamaged members, or of undamaged records in archives without members
-- column: damaged_bytes: all other bytes
-- column: records: records that were found
-- column: captures: records that became captures of a robots.txt
-- column: records_skipped: records that are not captures
-- column: sites: sites of the crawl, with at least one capture each
-- column: first_fetch: earliest time of a capture, in UTC; null if no capture has a time
-- column: last_fetch: latest time of a capture, in UTC; null if no capture has a time
-- column: first_day: first day with at least 1 % as many captures as the day with the most; null if no capture has a time
-- column: last_day: last day with at least 1 % as many captures as the day with the most; null if no capture has a time
-- caveat: records = captures + records_skipped, and bytes = good_bytes + damaged_bytes. what_was_skipped has the reasons.
-- caveat: first_fetch and last_fetch are of all captures. first_day and last_day omit days with few captures, which can be wrong dates; see the view crawls.
-- caveat: Redirects, refusals and answers that are not text are captures too. A site is a protocol, host and port with at least one capture.
WITH input_totals AS (
    SELECT
        crawl,
        count(*) AS archives,
        sum(CASE WHEN error IS NOT NULL THEN 1 ELSE 0 END) AS archives_failed,
        sum(bytes) AS bytes,
        sum(good_bytes) AS good_bytes,
        sum(damaged_bytes) AS damaged_bytes,
        sum(records) AS records,
        sum(captures) AS captures
    FROM inputs
    WHERE $crawl = '' OR crawl = $crawl
    GROUP BY crawl
),
skip_totals AS (
    SELECT crawl, sum(occurrences) AS records_skipped FROM skips WHERE kind = 'skipped' GROUP BY crawl
),
-- A record can be lost without a damaged byte.
damage_totals AS (
    SELECT crawl, count(DISTINCT warc_filename) AS archives_damaged FROM skips WHERE kind = 'damaged' GROUP BY crawl
),
fetch_times AS (
    SELECT crawl, min(fetch_time) AS first_fetch, max(fetch_time) AS last_fetch FROM captures GROUP BY crawl
),
site_totals AS (
    SELECT crawl, count(*) AS sites FROM sites GROUP BY crawl
)
SELECT
    i.crawl,
    i.archives,
    coalesce(d.archives_damaged, 0) AS archives_damaged,
    CAST(i.archives_failed AS bigint) AS archives_failed,
    CAST(i.bytes AS bigint) AS bytes,
    CAST(i.good_bytes AS bigint) AS good_bytes,
    CAST(i.damaged_bytes AS bigint) AS damaged_bytes,
    CAST(i.records AS bigint) AS records,
    CAST(i.captures AS bigint) AS captures,
    CAST(coalesce(s.records_skipped, 0) AS bigint) AS records_skipped,
    coalesce(t.sites, 0) AS sites,
    f.first_fetch,
    f.last_fetch,
    CAST(c.first_day AS varchar) AS first_day,
    CAST(c.last_day AS varchar) AS last_day
FROM input_totals AS i
LEFT JOIN skip_totals AS s ON s.crawl = i.crawl
LEFT JOIN damage_totals AS d ON d.crawl = i.crawl
LEFT JOIN fetch_times AS f ON f.crawl = i.crawl
LEFT JOIN site_totals AS t ON t.crawl = i.crawl
LEFT JOIN crawls AS c ON c.crawl = i.crawl
ORDER BY coalesce(c.crawl_no, 0), i.crawl
