-- title: Files that change during a crawl
-- id: H04
-- question: What share of the robots.txt files that were fetched again during a crawl had changed?
-- grain: one row per crawl and length of time between the captures of a pair, and one for any time
-- reads: captures, bodies
-- no strata: it counts captures, and only sites are in strata
-- parameter: crawl = ''
-- column: time_between: under an hour, an hour to a day, a day to a week, a week and more, any: time between the captures of a pair
-- column: urls: URLs with such a pair
-- column: pairs: pairs of captures of one URL, next to each other in time
-- column: pairs_changed: how many of these pairs have two different files
-- column: share_changed: pairs_changed divided by pairs; null if there is no pair
-- column: pairs_with_other_rules: how many of these pairs have files with different groups or rules
-- column: share_other_rules: pairs_with_other_rules divided by pairs; null if there is no pair
-- caveat: Pairs of captures of one URL of a robots.txt are counted, not sites: those next to each other among its captures with a time and a body that was read. Captures without a time or a body between them are skipped, such as revisit records, which repeat an earlier body. URLs with another path, or with a query, are left out. URLs are the same if their protocol, host and port are, however these are written. urls counts the URLs.
-- caveat: The crawler chooses what it fetches again, for example after a redirect or an error, so these files are not a sample of all files. Servers with the same host name may differ, and pages in place of a robots.txt may change with every request.
WITH read_captures AS (
    SELECT
        crawl,
        url_protocol || '://' || url_host_name || CASE
            WHEN url_port IS NULL OR url_port = CASE url_protocol WHEN 'https' THEN 443 ELSE 80 END THEN ''
            ELSE ':' || CAST(url_port AS varchar)
        END AS site,
        capture_id,
        fetch_time,
        body_id
    FROM captures
    WHERE ($crawl = '' OR crawl = $crawl)
        AND url_path = '/robots.txt'
        AND url_query IS NULL
        AND fetch_time IS NOT NULL
        AND body_id IS NOT NULL
),
-- Few URLs are fetched again. Only their captures are sorted.
repeated_urls AS (
    SELECT crawl, site FROM read_captures GROUP BY crawl, site HAVING count(*) > 1
),
fetched_bodies AS (
    SELECT
        c.crawl,
        c.site,
        c.capture_id,
        c.fetch_time,
        b.content_digest,
        b.ruleset_digest,
        lag(c.fetch_time) OVER (PARTITION BY c.crawl, c.site ORDER BY c.fetch_time, c.capture_id) AS time_before,
        lag(b.content_digest) OVER (PARTITION BY c.crawl, c.site ORDER BY c.fetch_time, c.capture_id) AS content_before,
        lag(b.ruleset_digest) OVER (PARTITION BY c.crawl, c.site ORDER BY c.fetch_time, c.capture_id) AS rules_before
    FROM repeated_urls AS r
    JOIN read_captures AS c ON c.crawl = r.crawl AND c.site = r.site
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
),
capture_pairs AS (
    SELECT
        crawl,
        site,
        CASE
            WHEN fetch_time < time_before + INTERVAL '1 hour' THEN 1
            WHEN fetch_time < time_before + INTERVAL '1 day' THEN 2
            WHEN fetch_time < time_before + INTERVAL '7 days' THEN 3
            ELSE 4
        END AS place,
        CASE WHEN content_digest <> content_before THEN 1 ELSE 0 END AS is_changed,
        CASE WHEN ruleset_digest <> rules_before THEN 1 ELSE 0 END AS has_other_rules
    FROM fetched_bodies
    WHERE time_before IS NOT NULL
),
interval_totals AS (
    SELECT
        c.crawl,
        l.place,
        count(*) AS pairs,
        count(DISTINCT c.site) AS urls,
        sum(c.is_changed) AS pairs_changed,
        sum(c.has_other_rules) AS pairs_with_other_rules
    FROM capture_pairs AS c
    JOIN (VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 1), (5, 2), (5, 3), (5, 4)) AS l (place, holds) ON l.holds = c.place
    GROUP BY c.crawl, l.place
),
intervals AS (
    SELECT *
    FROM (VALUES
        (1, 'under an hour'),
        (2, 'an hour to a day'),
        (3, 'a day to a week'),
        (4, 'a week and more'),
        (5, 'any')
    ) AS l (place, time_between)
),
crawl_names AS (
    SELECT DISTINCT crawl FROM captures WHERE $crawl = '' OR crawl = $crawl
)
SELECT
    c.crawl,
    i.time_between,
    coalesce(t.urls, 0) AS urls,
    coalesce(t.pairs, 0) AS pairs,
    coalesce(t.pairs_changed, 0) AS pairs_changed,
    CAST(t.pairs_changed AS double) / nullif(t.pairs, 0) AS share_changed,
    coalesce(t.pairs_with_other_rules, 0) AS pairs_with_other_rules,
    CAST(t.pairs_with_other_rules AS double) / nullif(t.pairs, 0) AS share_other_rules
FROM crawl_names AS c
CROSS JOIN intervals AS i
LEFT JOIN interval_totals AS t ON t.crawl = c.crawl AND t.place = i.place
ORDER BY c.crawl, i.place
