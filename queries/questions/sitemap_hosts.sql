-- title: Where sitemaps lie
-- id: G03
-- question: Do sitemaps lie on the host that names them, on another host of its domain, or elsewhere, and under its scheme?
-- grain: one row per crawl and relation between a site and a sitemap that it names
-- reads: sites, bodies, records
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: sites_counted are the sites that name a sitemap; a site may have sitemaps in several relations, and lines are counted once for each site that they hold for
-- caveat: a line whose key is misspelt (key_typos) is not counted
-- caveat: hosts are compared without their ports, and domains by the ICANN section of the public suffix list; an address has no domain
-- caveat: of a site that redirects, its own host counts and not the host whose file it is; such sites name sitemaps of another host because of the redirect, and sites_redirected tells how many they are
WITH addresses AS (
    SELECT
        r.crawl,
        r.body_id,
        CASE WHEN lower(r.value) LIKE 'http://%' THEN 'http' WHEN lower(r.value) LIKE 'https://%' THEN 'https' ELSE 'none' END AS scheme,
        split_part(split_part(lower(split_part(r.value, '/', 3)), '?', 1), ':', 1) AS host
    FROM records AS r
    JOIN bodies AS b ON b.crawl = r.crawl AND b.body_id = r.body_id
    WHERE r.key = 'sitemap' AND b.kind NOT IN ('html', 'xml', 'json', 'binary')
),
named AS (
    SELECT crawl, body_id, scheme, CASE WHEN scheme <> 'none' THEN host ELSE '' END AS host, count(*) AS lines
    FROM addresses
    GROUP BY crawl, body_id, scheme, CASE WHEN scheme <> 'none' THEN host ELSE '' END
),
pointed AS (
    SELECT
        s.crawl,
        s.site_id,
        s.hops > 0 AS is_redirected,
        n.lines,
        CASE
            WHEN n.scheme = 'none' THEN 'not absolute'
            WHEN n.host = s.url_host_name AND n.scheme = s.url_protocol THEN 'same host and scheme'
            WHEN n.host = s.url_host_name AND n.scheme = 'http' THEN 'same host, http from https'
            WHEN n.host = s.url_host_name THEN 'same host, https from http'
            WHEN n.host = s.url_host_registered_domain
                OR starts_with(reverse(n.host), reverse(s.url_host_registered_domain) || '.') THEN 'other host of the domain'
            ELSE 'other domain'
        END AS relation
    FROM sites AS s
    JOIN named AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
    WHERE $crawl = '' OR s.crawl = $crawl
),
related AS (
    SELECT crawl, site_id, relation, is_redirected, sum(lines) AS lines
    FROM pointed
    GROUP BY crawl, site_id, relation, is_redirected
),
counted AS (
    SELECT crawl, count(DISTINCT site_id) AS sites_counted
    FROM pointed
    GROUP BY crawl
)
SELECT
    r.crawl,
    r.relation,
    sum(r.lines) AS lines,
    count(*) AS sites,
    n.sites_counted,
    CAST(count(*) AS double) / n.sites_counted AS share,
    sum(CASE WHEN r.is_redirected THEN 1 ELSE 0 END) AS sites_redirected
FROM related AS r
JOIN counted AS n ON n.crawl = r.crawl
GROUP BY r.crawl, r.relation, n.sites_counted
ORDER BY r.crawl, sites DESC, r.relation
