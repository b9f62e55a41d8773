-- title: Sites that differ from the captures
-- grain: one row per crawl, protocol, host and port whose site is missing, superfluous or different
-- reads: sites, captures
WITH captured_sites AS (
    SELECT
        crawl,
        url_protocol,
        url_host_name,
        coalesce(url_port, CASE url_protocol WHEN 'https' THEN 443 ELSE 80 END) AS url_port,
        count(*) AS captures,
        min(capture_id) AS site_id
    FROM captures
    WHERE url_path = '/robots.txt'
        AND url_query IS NULL
        AND url_protocol IN ('http', 'https')
        AND url_host_name IS NOT NULL
    GROUP BY crawl, url_protocol, url_host_name, coalesce(url_port, CASE url_protocol WHEN 'https' THEN 443 ELSE 80 END)
)
SELECT
    coalesce(s.crawl, c.crawl) AS crawl,
    coalesce(s.url_protocol, c.url_protocol) AS url_protocol,
    coalesce(s.url_host_name, c.url_host_name) AS url_host_name,
    coalesce(s.url_port, c.url_port) AS url_port,
    s.site_id AS site_id_stored,
    c.site_id AS site_id_found,
    s.captures AS captures_stored,
    c.captures AS captures_found
FROM sites AS s
FULL JOIN captured_sites AS c
    ON c.crawl = s.crawl
    AND c.url_protocol = s.url_protocol
    AND c.url_host_name = s.url_host_name
    AND c.url_port = s.url_port
WHERE s.site_id IS NULL
    OR c.site_id IS NULL
    OR s.site_id <> c.site_id
    OR s.captures <> c.captures
ORDER BY crawl, url_protocol, url_host_name, url_port
