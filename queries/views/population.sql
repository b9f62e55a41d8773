-- title: Population
-- question: Which sites are counted, in which stratum, and with which weight?
-- grain: one row per counted site and stratum
-- reads: site_strata, sites, weights
-- parameter: crawl = ''
-- parameter: denominator = answered: which sites are counted; rules: sites with rules; read: sites whose file was read; answered: also sites without a file (4xx), which allow all; decided: also unreachable sites, which block all; all: also sites with unresolved redirects or without a capture
-- parameter: weight = site: weight of a site; site: 1; host, domain: 1 for each host or registered domain, shared evenly by its counted sites; own: the weight in the table weights, shared in the same way
-- parameter: min_sites = 1
-- hidden parameter: panel boolean = false, sites: counts only sites that are in every crawl of the folder
-- hidden parameter: statuses texts = '', statuses: counts only sites whose last answer has one of these statuses; default: any
WITH lasting_sites AS (
    SELECT url_protocol, url_host_name, url_port
    FROM sites
    WHERE $panel
    GROUP BY url_protocol, url_host_name, url_port
    HAVING count(*) = (SELECT count(DISTINCT crawl) FROM sites)
),
-- Sites are chosen here, and not by questions, so that only those that count share weights and are in large strata.
counted_sites AS (
    SELECT *
    FROM site_strata AS s
    WHERE ($crawl = '' OR crawl = $crawl)
        AND ('' IN ($statuses) OR CAST(final_status AS varchar) IN ($statuses))
        AND (NOT $panel OR EXISTS (
            SELECT 1
            FROM lasting_sites AS l
            WHERE l.url_protocol = s.url_protocol AND l.url_host_name = s.url_host_name AND l.url_port = s.url_port
        ))
        AND CASE $denominator
            WHEN 'rules' THEN outcome = 'rules'
            WHEN 'read' THEN outcome IN ('rules', 'no_rules', 'not_robots')
            WHEN 'answered' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable')
            WHEN 'decided' THEN outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable', 'unreachable')
            ELSE true
        END
),
-- Each site once, even if it is in several strata, and the host or domain that shares its weight with its sites.
sharing_sites AS (
    SELECT DISTINCT
        crawl,
        site_id,
        url_host_name,
        url_host_registered_domain,
        CASE $weight WHEN 'host' THEN url_host_name ELSE coalesce(url_host_registered_domain, url_host_name) END AS sharer
    FROM counted_sites
    WHERE $weight <> 'site'
),
sharer_weights AS (
    SELECT crawl, site_id, sharer, CAST(1 AS double) AS weight
    FROM sharing_sites
    WHERE $weight <> 'own'
    UNION ALL
    -- A listed host has its own weight, any other host the weight of its domain.
    SELECT s.crawl, s.site_id, coalesce(h.host, d.host) AS sharer, CAST(coalesce(h.weight, d.weight, 0) AS double) AS weight
    FROM sharing_sites AS s
    LEFT JOIN weights AS h ON h.host = s.url_host_name
    LEFT JOIN weights AS d ON d.host = s.url_host_registered_domain
    WHERE $weight = 'own'
),
placed_sites AS (
    SELECT
        crawl,
        site_id,
        weight,
        row_number() OVER (PARTITION BY crawl, sharer ORDER BY site_id) AS place,
        count(*) OVER (PARTITION BY crawl, sharer) AS sites
    FROM sharer_weights
    WHERE $weight <> 'site'
),
crawl_weights AS (
    SELECT crawl, sum(weight) AS weight FROM placed_sites WHERE $weight <> 'site' AND place = 1 AND weight > 0 GROUP BY crawl
),
-- Weights are multiples of a power of two, the same one in all crawls. It is so large that sums over 20 crawls are exact,
-- whatever the order of additions.
weight_unit AS (
    SELECT power(CAST(2 AS double), floor(log2(max(weight)) + 0.5) - 48) AS unit FROM crawl_weights
),
-- The weights of the sites of a host or domain add up to its weight, rounded to the unit. Each may be off by less
-- than a unit.
site_weights AS (
    SELECT
        p.crawl,
        p.site_id,
        coalesce(
            u.unit * (
                floor(p.weight / u.unit * (CAST(p.place AS double) / p.sites) + 0.5)
                - floor(p.weight / u.unit * (CAST(p.place - 1 AS double) / p.sites) + 0.5)
            ),
            0
        ) AS weight,
        -- Where one crawl or host outweighs all else, a unit would be a large part of other weights.
        CASE WHEN p.weight > 0 THEN least(u.unit, p.weight / p.sites / 1048576) ELSE 0 END AS weight_slack
    FROM placed_sites AS p
    CROSS JOIN weight_unit AS u
    WHERE $weight <> 'site'
),
-- The weight 1 of a site is an integer, so that sums of weights are integers. Shared weights are fractions.
weighted_sites AS (
    SELECT *, CAST(1 AS bigint) AS weight, CAST(0 AS bigint) AS weight_slack
    FROM counted_sites
    WHERE $weight = 'site' AND stratum IS NOT NULL
    UNION ALL
    SELECT c.*, w.weight, w.weight_slack
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
    s.weight_slack,
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
