-- title: Population
-- question: Which sites are counted, in which stratum, and with which weight?
-- grain: one row per counted site and stratum
-- reads: sites, ranks, weights, categories
-- parameter: crawl = ''
-- parameter: denominator = answered: which sites are counted; rules: sites with rules; read: sites whose file was read; answered: also sites without a file (4xx), which allow all; decided: also unreachable sites, which block all; all: also sites with unresolved redirects or without a capture
-- parameter: weight = site: weight of a site; site: 1; host, domain: 1 for each host or registered domain, shared evenly by its counted sites; own: the weight in the table weights, shared in the same way
-- parameter: by = none: how the answer is split; none: one stratum; tld: by top-level domain; rank: by rank in the table ranks; rank-cumulative: as rank, but the top 10,000 include the top 1,000; category: by the table categories
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
    SELECT host, rank FROM ranks WHERE $by IN ('rank', 'rank-cumulative')
),
host_categories AS (
    SELECT host, category FROM categories WHERE $by = 'category'
),
classified_sites AS (
    SELECT w.*, coalesce(h.rank, d.rank) AS rank, coalesce(hc.category, dc.category, 'none') AS category
    FROM weighted_sites AS w
    LEFT JOIN ranked_hosts AS h ON h.host = w.url_host_name
    LEFT JOIN ranked_hosts AS d ON d.host = w.url_host_registered_domain
    LEFT JOIN host_categories AS hc ON hc.host = w.url_host_name
    LEFT JOIN host_categories AS dc ON dc.host = w.url_host_registered_domain
),
site_strata AS (
    SELECT
        *,
        CASE $by
            WHEN 'none' THEN 'all'
            WHEN 'tld' THEN coalesce(url_host_tld, 'address')
            WHEN 'category' THEN category
            ELSE CASE
                WHEN rank <= 1000 THEN '1 to 1,000'
                WHEN rank <= 10000 THEN '1,001 to 10,000'
                WHEN rank <= 100000 THEN '10,001 to 100,000'
                WHEN rank <= 1000000 THEN '100,001 to 1,000,000'
                WHEN rank IS NOT NULL THEN 'beyond 1,000,000'
                ELSE 'unranked'
            END
        END AS stratum
    FROM classified_sites
    WHERE $by <> 'rank-cumulative'
    UNION ALL
    SELECT c.*, t.stratum
    FROM classified_sites AS c
    JOIN (VALUES (1000, 'top 1,000'), (10000, 'top 10,000'), (100000, 'top 100,000'), (1000000, 'top 1,000,000')) AS t (most, stratum)
        ON c.rank <= t.most
    WHERE $by = 'rank-cumulative'
)
-- All that questions ask of a site, so that none of them joins the sites again.
SELECT
    crawl,
    stratum,
    weight,
    site_id,
    url_protocol,
    url_host_name,
    url_port,
    url_host_tld,
    url_host_registered_domain,
    url_host_private_domain,
    fetch_status,
    access_result,
    hops,
    final_capture_id,
    final_url,
    final_host_name,
    final_registered_domain,
    final_status,
    outcome,
    redirect_end,
    body_id
FROM site_strata
