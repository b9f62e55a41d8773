-- title: Panel
-- question: Which sites are in two crawls, and what held for them in each?
-- grain: one row per site that is in one of two crawls or in both
-- reads: sites
-- parameter: crawl_from crawl = '', name: the first of two crawls that are compared; the one before the last, by name, if it is not said
-- parameter: crawl_to crawl = '', name: the last of two crawls that are compared; the last there is, by name, if it is not said
-- parameter: same one of site host = site, sameness: what is looked for in both; site: protocol, host and port; host: the host alone, of whose sites the one with a file counts, https before http
-- caveat: With less than two crawls there is nothing to compare.
-- caveat: Crawls choose their hosts anew, and may ask one for http and the next for https, so that a site that is in one of them only has neither come nor gone; same=host finds more of them again.
WITH crawls AS (
    SELECT DISTINCT crawl FROM sites
),
last_crawl AS (
    SELECT max(crawl) AS crawl_to FROM crawls WHERE crawl = $crawl_to OR $crawl_to = ''
),
crawl_pair AS (
    SELECT max(c.crawl) AS crawl_from, l.crawl_to
    FROM last_crawl AS l
    JOIN crawls AS c ON c.crawl = $crawl_from OR $crawl_from = '' AND c.crawl < l.crawl_to
    GROUP BY l.crawl_to
),
ranked_sites AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, url_host_name
            ORDER BY CASE WHEN body_id IS NULL THEN 1 ELSE 0 END, url_protocol DESC, url_port, site_id
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
)
-- The few before the many: DataFusion makes a batch of each row of the first.
SELECT c.crawl_from, c.crawl_to, m.*
FROM crawl_pair AS c
CROSS JOIN matched_sites AS m
