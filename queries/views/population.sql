-- title: Population
-- question: Which sites are counted, in which stratum, and with which weight?
-- grain: one row per counted site and stratum
-- reads: sites, captures, ranks, weights, categories
-- parameter: crawl = ''
-- parameter: denominator = answered: which sites are counted; rules: sites with rules; read: sites whose file was read; answered: also sites without a file (4xx), which allow all; decided: also unreachable sites, which block all; all: also sites with unresolved redirects or without a capture
-- parameter: weight = site: weight of a site; site: 1; host, domain: 1 for each host or registered domain, shared evenly by its counted sites; own: the weight in the table weights, shared in the same way
-- parameter: by = none: how the answer is split; none: one stratum; tld: by top-level domain; rank: by rank in the table ranks; rank-cumulative: as rank, but the top 10,000 include the top 1,000; category: by the table categories; server: by the product that the server says it is, such as nginx; several, separated by commas: by all of them, as in 1 to 1,000 / de
-- parameter: min_sites = 1
-- caveat: A stratum of several splits has their names in the order of this list, with a slash between them.
WITH counted_sites AS (
    SELECT *
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
weighted_sites AS (
    SELECT *, CAST(1 AS double) AS weight FROM counted_sites WHERE $weight = 'site'
    UNION ALL
    SELECT *, 1 / CAST(count(*) OVER (PARTITION BY crawl, url_host_name) AS double) AS weight
    FROM counted_sites WHERE $weight = 'host'
    UNION ALL
    SELECT *, 1 / CAST(count(*) OVER (PARTITION BY crawl, coalesce(url_host_registered_domain, url_host_name)) AS double) AS weight
    FROM counted_sites WHERE $weight = 'domain'
    UNION ALL
    -- A listed host has its own weight, any other the weight of its domain.
    SELECT
        c.*,
        coalesce(h.weight, d.weight, 0) / CAST(count(*) OVER (PARTITION BY c.crawl, coalesce(h.host, d.host)) AS double) AS weight
    FROM counted_sites AS c
    LEFT JOIN weights AS h ON h.host = c.url_host_name
    LEFT JOIN weights AS d ON d.host = c.url_host_registered_domain
    WHERE $weight = 'own'
),
-- Empty unless needed, so that the joins below cost nothing.
ranked_hosts AS (
    SELECT host, rank FROM ranks WHERE 'rank' IN ($by) OR 'rank-cumulative' IN ($by)
),
host_categories AS (
    SELECT host, category FROM categories WHERE 'category' IN ($by)
),
-- The product of a server: nginx of nginx/1.18.0 (Ubuntu).
capture_servers AS (
    SELECT crawl, capture_id, lower(split_part(split_part(trim(server), '/', 1), ' ', 1)) AS server
    FROM captures
    WHERE 'server' IN ($by)
),
classified_sites AS (
    SELECT
        w.*,
        coalesce(h.rank, d.rank) AS rank,
        coalesce(hc.category, dc.category, 'none') AS category,
        coalesce(nullif(cs.server, ''), 'none') AS server
    FROM weighted_sites AS w
    LEFT JOIN ranked_hosts AS h ON h.host = w.url_host_name
    LEFT JOIN ranked_hosts AS d ON d.host = w.url_host_registered_domain
    LEFT JOIN host_categories AS hc ON hc.host = w.url_host_name
    LEFT JOIN host_categories AS dc ON dc.host = w.url_host_registered_domain
    LEFT JOIN capture_servers AS cs ON cs.crawl = w.crawl AND cs.capture_id = w.final_capture_id
),
top_sites AS (
    SELECT *, CAST(NULL AS varchar) AS top FROM classified_sites WHERE 'rank-cumulative' NOT IN ($by)
    UNION ALL
    SELECT c.*, t.top
    FROM classified_sites AS c
    JOIN (VALUES (1000, 'top 1,000'), (10000, 'top 10,000'), (100000, 'top 100,000'), (1000000, 'top 1,000,000')) AS t (most, top)
        ON c.rank <= t.most
    WHERE 'rank-cumulative' IN ($by)
),
site_strata AS (
    SELECT
        *,
        coalesce(
            nullif(
                concat_ws(
                    ' / ',
                    CASE WHEN 'rank-cumulative' IN ($by) THEN top END,
                    CASE WHEN 'rank' IN ($by) THEN CASE
                        WHEN rank <= 1000 THEN '1 to 1,000'
                        WHEN rank <= 10000 THEN '1,001 to 10,000'
                        WHEN rank <= 100000 THEN '10,001 to 100,000'
                        WHEN rank <= 1000000 THEN '100,001 to 1,000,000'
                        WHEN rank IS NOT NULL THEN 'beyond 1,000,000'
                        ELSE 'unranked'
                    END END,
                    CASE WHEN 'tld' IN ($by) THEN coalesce(url_host_tld, 'address') END,
                    CASE WHEN 'category' IN ($by) THEN category END,
                    CASE WHEN 'server' IN ($by) THEN server END
                ),
                ''
            ),
            'all'
        ) AS stratum
    FROM top_sites
),
large_strata AS (
    SELECT crawl, stratum
    FROM site_strata
    WHERE $min_sites > 1
    GROUP BY crawl, stratum
    HAVING count(*) >= $min_sites
)
-- All that questions ask of a site, so that none of them joins the sites again.
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
    s.body_id
FROM site_strata AS s
WHERE $min_sites <= 1
    OR EXISTS (SELECT 1 FROM large_strata AS l WHERE l.crawl = s.crawl AND l.stratum = s.stratum)
