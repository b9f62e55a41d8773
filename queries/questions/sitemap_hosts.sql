-- title: Hosts of sitemaps
-- id: G03
-- question: Are sitemaps on the host that names them, on another host of its domain, or elsewhere, and do they have its scheme?
-- grain: one row per crawl, stratum and relation of a site to its sitemaps
-- reads: population, bodies, linked_hosts
-- parameter: denominator = read
-- column: relation: same host and scheme; same host, http from https; same host, https from http; other host of the domain; other domain; not absolute
-- column: lines: sitemap lines in this relation, each line once for every site that it applies to
-- column: sites: sites whose file names a sitemap in this relation
-- column: sites_counted: sites whose file names a sitemap
-- column: sites_redirected: how many of these sites get their file by redirect
-- caveat: sites_counted counts the sites that name a sitemap. A site may have sitemaps in several relations. A line counts once for each site that it applies to.
-- caveat: not absolute: not an http or https URL.
-- caveat: Hosts are compared without ports, and domains by the ICANN section of the public suffix list. An IP address has no domain. A sitemap's host name in other letters is not turned into Punycode, so it counts as that of another domain.
-- caveat: For a site that redirects, its own host is compared, not the host of the file. Such sites name sitemaps of another host because of the redirect; sites_redirected counts them.
WITH sitemap_addresses AS (
    SELECT r.crawl, r.body_id, CASE WHEN r.scheme IN ('http', 'https') THEN r.scheme ELSE 'none' END AS scheme, r.host
    FROM linked_hosts AS r
    JOIN bodies AS b ON b.crawl = r.crawl AND b.body_id = r.body_id
    WHERE r.record = 'sitemap' AND b.may_be_robots
),
sitemap_targets AS (
    SELECT crawl, body_id, scheme, CASE WHEN scheme <> 'none' THEN host ELSE '' END AS host, count(*) AS lines
    FROM sitemap_addresses
    GROUP BY crawl, body_id, scheme, CASE WHEN scheme <> 'none' THEN host ELSE '' END
),
site_targets AS (
    SELECT
        s.crawl,
        s.stratum,
        s.site_id,
        s.weight,
        s.hops > 0 AS is_redirected,
        t.lines,
        CASE
            WHEN t.scheme = 'none' THEN 'not absolute'
            WHEN t.host = s.url_host_name AND t.scheme = s.url_protocol THEN 'same host and scheme'
            WHEN t.host = s.url_host_name AND t.scheme = 'http' THEN 'same host, http from https'
            WHEN t.host = s.url_host_name THEN 'same host, https from http'
            WHEN t.host = s.url_host_registered_domain
                OR starts_with(reverse(t.host), reverse(s.url_host_registered_domain) || '.') THEN 'other host of the domain'
            ELSE 'other domain'
        END AS relation
    FROM population AS s
    JOIN sitemap_targets AS t ON t.crawl = s.crawl AND t.body_id = s.body_id
),
site_relations AS (
    SELECT crawl, stratum, site_id, weight, relation, is_redirected, sum(lines) AS lines
    FROM site_targets
    GROUP BY crawl, stratum, site_id, weight, relation, is_redirected
),
sitemap_totals AS (
    SELECT crawl, stratum, sum(weight) AS sites_counted
    FROM (SELECT DISTINCT crawl, stratum, site_id, weight FROM site_relations) AS naming_sites
    GROUP BY crawl, stratum
)
SELECT
    s.crawl,
    s.stratum,
    s.relation,
    sum(s.lines) AS lines,
    sum(s.weight) AS sites,
    t.sites_counted,
    CAST(sum(s.weight) AS double) / nullif(t.sites_counted, 0) AS share,
    sum(CASE WHEN s.is_redirected THEN s.weight ELSE 0 END) AS sites_redirected
FROM site_relations AS s
JOIN sitemap_totals AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
GROUP BY s.crawl, s.stratum, s.relation, t.sites_counted
ORDER BY s.crawl, s.stratum, sum(s.weight) DESC, s.relation
