-- title: Population
-- question: Which sites are counted, with which weight, in which stratum?
-- grain: one row per site that is counted and stratum that it is in
-- reads: sites, ranks, weights, categories
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: denominator one of rules read answered decided all = answered, sites: which are counted: with rules; whose file was read; also those without a file (4xx), which allow all; also those that cannot be reached, which refuse all; also those whose redirects end nowhere
-- parameter: weight one of site host domain own = site, weight: what each counts: a site, host or registered domain 1, shared evenly by its counted sites; or what the table weights has for its host or domain
-- parameter: by one of none tld rank rank-cumulative category = none, stratum: what the answer is split by
WITH counted AS (
    SELECT crawl, site_id, body_id, outcome, url_protocol, url_host_name, url_host_tld, url_host_registered_domain
    FROM sites
    WHERE ($crawl = '' OR crawl = $crawl)
        AND CASE $denominator
            WHEN 'rules' THEN outcome = 'rules'
            WHEN 'read' THEN outcome IN ('rules', 'no_rules', 'not_robots')
            WHEN 'answered' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable')
            WHEN 'decided' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable', 'unreachable')
            ELSE true
        END
),
weighed AS (
    SELECT *, CAST(1 AS double) AS weight FROM counted WHERE $weight = 'site'
    UNION ALL
    SELECT *, 1 / CAST(count(*) OVER (PARTITION BY crawl, url_host_name) AS double) AS weight
    FROM counted WHERE $weight = 'host'
    UNION ALL
    SELECT *, 1 / CAST(count(*) OVER (PARTITION BY crawl, coalesce(url_host_registered_domain, url_host_name)) AS double) AS weight
    FROM counted WHERE $weight = 'domain'
    UNION ALL
    SELECT c.*, coalesce(h.weight, d.weight, 0) AS weight
    FROM counted AS c
    LEFT JOIN weights AS h ON h.host = c.url_host_name
    LEFT JOIN weights AS d ON d.host = c.url_host_registered_domain
    WHERE $weight = 'own'
),
ranked AS (
    SELECT s.crawl, s.site_id, coalesce(h.rank, d.rank) AS rank
    FROM counted AS s
    LEFT JOIN ranks AS h ON h.host = s.url_host_name
    LEFT JOIN ranks AS d ON d.host = s.url_host_registered_domain
    WHERE $by IN ('rank', 'rank-cumulative')
),
strata AS (
    SELECT crawl, site_id, 'all' AS stratum FROM counted WHERE $by = 'none'
    UNION ALL
    SELECT crawl, site_id, coalesce(url_host_tld, 'address') AS stratum FROM counted WHERE $by = 'tld'
    UNION ALL
    SELECT
        crawl,
        site_id,
        CASE
            WHEN rank <= 1000 THEN '1 to 1,000'
            WHEN rank <= 10000 THEN '1,001 to 10,000'
            WHEN rank <= 100000 THEN '10,001 to 100,000'
            WHEN rank <= 1000000 THEN '100,001 to 1,000,000'
            WHEN rank IS NOT NULL THEN 'beyond 1,000,000'
            ELSE 'unranked'
        END AS stratum
    FROM ranked WHERE $by = 'rank'
    UNION ALL
    SELECT r.crawl, r.site_id, t.stratum
    FROM ranked AS r
    JOIN (VALUES (1000, 'top 1,000'), (10000, 'top 10,000'), (100000, 'top 100,000'), (1000000, 'top 1,000,000')) AS t (most, stratum)
        ON r.rank <= t.most
    WHERE $by = 'rank-cumulative'
    UNION ALL
    SELECT s.crawl, s.site_id, coalesce(h.category, d.category, 'none') AS stratum
    FROM counted AS s
    LEFT JOIN categories AS h ON h.host = s.url_host_name
    LEFT JOIN categories AS d ON d.host = s.url_host_registered_domain
    WHERE $by = 'category'
)
SELECT w.crawl, w.site_id, w.body_id, w.outcome, w.url_host_name, w.url_host_registered_domain, s.stratum, w.weight
FROM weighed AS w
JOIN strata AS s ON s.crawl = w.crawl AND s.site_id = w.site_id
