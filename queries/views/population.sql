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
-- A list that is not needed is empty, so that the joins below cost nothing.
own_weights AS (
    SELECT host, weight FROM weights WHERE $weight = 'own'
),
-- The host or domain that shares its weight with its sites. A listed host has its own weight, any other host the weight
-- of its domain.
sharing_sites AS (
    SELECT
        s.*,
        CASE $weight
            WHEN 'own' THEN coalesce(h.host, d.host)
            WHEN 'host' THEN s.url_host_name
            ELSE coalesce(s.url_host_registered_domain, s.url_host_name)
        END AS sharer,
        CAST(CASE $weight WHEN 'own' THEN coalesce(h.weight, d.weight, 0) ELSE 1 END AS double) AS sharer_weight
    FROM counted_sites AS s
    LEFT JOIN own_weights AS h ON h.host = s.url_host_name
    LEFT JOIN own_weights AS d ON d.host = s.url_host_registered_domain
),
-- Most hosts and domains have one site. The others are numbered by their first site: numbers are compared faster than
-- names.
sharers AS (
    SELECT crawl, sharer, sharer_weight, min(site_id) AS first_site_id, count(*) AS sites
    FROM sharing_sites
    WHERE $weight <> 'site' AND is_first_stratum AND sharer_weight > 0
    GROUP BY crawl, sharer, sharer_weight
    HAVING count(*) > 1
),
site_places AS (
    SELECT
        s.crawl,
        s.site_id,
        h.sites,
        CAST(row_number() OVER (PARTITION BY s.crawl, h.first_site_id ORDER BY s.site_id) AS bigint) AS place
    FROM sharers AS h
    JOIN sharing_sites AS s ON s.crawl = h.crawl AND s.sharer = h.sharer
    WHERE s.is_first_stratum
),
-- Each host or domain counts once.
crawl_weights AS (
    SELECT crawl, sum(weight) AS weight
    FROM (
        SELECT crawl, sharer_weight AS weight
        FROM sharing_sites
        WHERE $weight <> 'site' AND is_first_stratum AND sharer_weight > 0
        UNION ALL
        SELECT crawl, sharer_weight * (1 - sites) AS weight FROM sharers
    ) AS parts
    GROUP BY crawl
),
-- Weights are multiples of a power of two, the same one in all crawls. It is so large that sums over 20 crawls are exact,
-- whatever the order of additions.
weight_unit AS (
    SELECT power(CAST(2 AS double), floor(log2(max(weight)) + 0.5) - 48) AS unit FROM crawl_weights
),
placed_sites AS (
    SELECT s.*, coalesce(p.place, 1) AS place, coalesce(p.sites, 1) AS sites
    -- Few sites share a weight, and the first side of a join is kept in memory.
    FROM site_places AS p
    RIGHT JOIN sharing_sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
    WHERE $weight <> 'site' AND s.stratum IS NOT NULL
),
-- The weight 1 of a site is an integer, so that sums of weights are integers. Shared weights are fractions. Those of the
-- sites of a host or domain add up to its weight, rounded to the unit. Each may be off by less than a unit.
weighted_sites AS (
    SELECT *, 1 AS place, 1 AS sites, CAST(1 AS bigint) AS weight, CAST(0 AS bigint) AS weight_slack
    FROM sharing_sites
    WHERE $weight = 'site' AND stratum IS NOT NULL
    UNION ALL
    SELECT
        p.*,
        coalesce(
            u.unit * (
                floor(p.sharer_weight / u.unit * (CAST(p.place AS double) / p.sites) + 0.5)
                - floor(p.sharer_weight / u.unit * (CAST(p.place - 1 AS double) / p.sites) + 0.5)
            ),
            0
        ) AS weight,
        -- Where one crawl or host outweighs all else, a unit would be a large part of other weights.
        CASE WHEN p.sharer_weight > 0 THEN least(u.unit, p.sharer_weight / p.sites / 1048576) ELSE 0 END AS weight_slack
    FROM weight_unit AS u
    CROSS JOIN placed_sites AS p
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
