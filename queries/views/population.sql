-- title: Population
-- question: Which sites are counted, in which stratum, and with which weight?
-- grain: one row per counted site and stratum
-- reads: site_strata, weights
-- parameter: crawl = ''
-- parameter: denominator = answered: which sites are counted; rules: sites with rules; read: sites whose file was read; answered: also sites without a file (4xx), which allow all; decided: also unreachable sites, which block all; all: also sites with unresolved redirects or without a capture
-- parameter: weight = site: weight of a site; site: 1; host, domain: 1 for each host or registered domain, shared evenly by its counted sites; own: the weight in the table weights, shared in the same way
-- parameter: min_sites = 1
WITH counted_sites AS (
    SELECT *
    FROM site_strata
    WHERE ($crawl = '' OR crawl = $crawl)
        AND CASE $denominator
            WHEN 'rules' THEN outcome = 'rules'
            WHEN 'read' THEN outcome IN ('rules', 'no_rules', 'not_robots')
            WHEN 'answered' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable')
            WHEN 'decided' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable', 'unreachable')
            ELSE true
        END
),
-- Each site once, even if it is in several strata.
sharing_sites AS (
    SELECT DISTINCT crawl, site_id, url_host_name, url_host_registered_domain FROM counted_sites WHERE $weight <> 'site'
),
site_weights AS (
    SELECT crawl, site_id, 1 / CAST(count(*) OVER (PARTITION BY crawl, url_host_name) AS double) AS weight
    FROM sharing_sites
    WHERE $weight = 'host'
    UNION ALL
    SELECT
        crawl,
        site_id,
        1 / CAST(count(*) OVER (PARTITION BY crawl, coalesce(url_host_registered_domain, url_host_name)) AS double) AS weight
    FROM sharing_sites
    WHERE $weight = 'domain'
    UNION ALL
    -- A listed host has its own weight, any other host the weight of its domain.
    SELECT
        s.crawl,
        s.site_id,
        coalesce(h.weight, d.weight, 0) / CAST(count(*) OVER (PARTITION BY s.crawl, coalesce(h.host, d.host)) AS double) AS weight
    FROM sharing_sites AS s
    LEFT JOIN weights AS h ON h.host = s.url_host_name
    LEFT JOIN weights AS d ON d.host = s.url_host_registered_domain
    WHERE $weight = 'own'
),
-- The weight 1 of a site is an integer, so that sums of weights are integers. Shared weights are fractions.
weighted_sites AS (
    SELECT *, CAST(1 AS bigint) AS weight FROM counted_sites WHERE $weight = 'site' AND stratum IS NOT NULL
    UNION ALL
    SELECT c.*, w.weight
    FROM counted_sites AS c
    JOIN site_weights AS w ON w.crawl = c.crawl AND w.site_id = c.site_id
    WHERE $weight <> 'site' AND c.stratum IS NOT NULL
),
large_strata AS (
    SELECT crawl, stratum
    FROM weighted_sites
    WHERE $min_sites > 1
    GROUP BY crawl, stratum
    HAVING count(*) >= $min_sites
)
-- All columns that questions need of a site, so that few of them join sites again.
SELECT
    s.crawl,
    s.stratum,
    s.weight,
    s.site_id,
    s.url_protocol,
    s.url_host_name,
    s.url_port,
    s.url_host_tld,
    s.url_host_registered_domain,
    s.url_host_private_domain,
    s.fetch_status,
    s.access_result,
    s.hops,
    s.final_capture_id,
    s.final_url,
    s.final_host_name,
    s.final_registered_domain,
    s.final_status,
    s.outcome,
    s.redirect_end,
    s.body_id,
    s.class_id
FROM weighted_sites AS s
WHERE $min_sites <= 1
    OR EXISTS (SELECT 1 FROM large_strata AS l WHERE l.crawl = s.crawl AND l.stratum = s.stratum)
