-- title: Panel
-- question: Which sites are in one or both of two crawls, and which outcome and body do they have in each?
-- grain: one row per site in one crawl or both, and stratum
-- reads: crawls, sites, site_strata
-- parameter: crawl_from crawl = '', name: the first of the two crawls; default: the one before crawl_to
-- parameter: crawl_to crawl = '', name: the last of the two crawls; default: the last; the view crawls has their order
-- parameter: same one of site host = site, sameness: what makes two sites the same; site: protocol, host and port; host: the host alone, represented by one of its sites: with a file if possible, else with a page in its place, else one that answered; then https before http, then the lowest port
-- parameter: min_sites = 1: omits strata with fewer sites in both crawls; 1 omits none
-- caveat: The stratum is that of the site in the last crawl, or in the first crawl if it is only there.
-- caveat: With fewer than two crawls, or with the same crawl twice, the answer is empty.
-- caveat: Each crawl selects its hosts anew, and may fetch http in one crawl and https in the next. A site in only one crawl need not be new or gone. same=host finds more sites in both.
WITH last_crawl AS (
    SELECT crawl AS crawl_to, crawl_no AS last_no
    FROM crawls
    WHERE crawl_no IN (SELECT max(crawl_no) FROM crawls WHERE crawl = $crawl_to OR $crawl_to = '')
),
first_crawl AS (
    SELECT max(c.crawl_no) AS first_no
    FROM last_crawl AS l
    JOIN crawls AS c ON c.crawl = $crawl_from AND c.crawl_no <> l.last_no OR $crawl_from = '' AND c.crawl_no < l.last_no
),
crawl_pair AS (
    SELECT c.crawl AS crawl_from, l.crawl_to
    FROM first_crawl AS f
    JOIN crawls AS c ON c.crawl_no = f.first_no
    CROSS JOIN last_crawl AS l
),
ranked_sites AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, url_host_name
            ORDER BY
                CASE
                    WHEN outcome IN ('rules', 'no_rules') THEN 0
                    WHEN outcome = 'not_robots' THEN 1
                    WHEN outcome = 'unavailable' THEN 2
                    ELSE 3
                END,
                url_protocol DESC,
                url_port,
                site_id
        ) AS bigint) AS place
    FROM sites
    WHERE $same = 'host'
),
panel_sites AS (
    SELECT crawl, site_id, url_protocol AS protocol, url_host_name AS host, url_port AS port, outcome, body_id
    FROM sites
    WHERE $same = 'site'
    UNION ALL
    SELECT crawl, site_id, 'any' AS protocol, url_host_name AS host, 0 AS port, outcome, body_id
    FROM ranked_sites
    WHERE place = 1
),
first_sites AS (
    SELECT * FROM panel_sites WHERE crawl IN (SELECT crawl_from FROM crawl_pair)
),
last_sites AS (
    SELECT * FROM panel_sites WHERE crawl IN (SELECT crawl_to FROM crawl_pair)
),
matched_sites AS (
    SELECT
        coalesce(f.host, l.host) AS url_host_name,
        f.site_id AS site_from,
        l.site_id AS site_to,
        f.outcome AS outcome_from,
        l.outcome AS outcome_to,
        f.body_id AS body_from,
        l.body_id AS body_to
    FROM first_sites AS f
    FULL JOIN last_sites AS l ON l.host = f.host AND l.protocol = f.protocol AND l.port = f.port
),
-- The smaller side comes first: for a cross join, DataFusion makes a batch for each of its rows.
paired_sites AS (
    SELECT c.crawl_from, c.crawl_to, m.*
    FROM crawl_pair AS c
    CROSS JOIN matched_sites AS m
),
stratified_sites AS (
    SELECT p.*, 'all' AS stratum FROM paired_sites AS p WHERE 'none' IN ($by)
    UNION ALL
    SELECT p.*, s.stratum
    FROM paired_sites AS p
    JOIN site_strata AS s
        ON s.crawl = CASE WHEN p.site_to IS NULL THEN p.crawl_from ELSE p.crawl_to END
        AND s.site_id = coalesce(p.site_to, p.site_from)
    WHERE 'none' NOT IN ($by) AND s.stratum IS NOT NULL
),
large_strata AS (
    SELECT stratum
    FROM stratified_sites
    WHERE $min_sites > 1 AND site_from IS NOT NULL AND site_to IS NOT NULL
    GROUP BY stratum
    HAVING count(*) >= $min_sites
)
SELECT s.*
FROM stratified_sites AS s
WHERE $min_sites <= 1 OR EXISTS (SELECT 1 FROM large_strata AS l WHERE l.stratum = s.stratum)
