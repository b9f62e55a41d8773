-- title: Hosts of licences
-- id: F05
-- question: To which hosts do the License records of robots.txt files point?
-- grain: one row per crawl, stratum and host of a licence; the empty host is for all values that are not absolute URLs with a host
-- reads: population, linked_hosts
-- parameter: denominator = read
-- parameter: top count = 50, hosts: how many hosts, those with the most sites first
-- column: target_host: the host of the licence, in lower case; empty for all values that are not absolute URLs with a host
-- column: sites: sites whose file has a License record that points to this host
-- column: sites_counted: sites whose file has a License record
-- column: sites_of_own: sites for which this host is their own, or one of their registered domain
-- caveat: sites_counted counts the sites with a License record. A site with licences at several hosts counts for each. sites_of_own counts sites with the licence at their own host or domain.
-- caveat: An absolute URL starts with a scheme and ://. A host name in other letters is not turned into Punycode.
WITH licence_hosts AS (
    SELECT DISTINCT crawl, body_id, coalesce(host, '') AS target_host FROM linked_hosts WHERE record = 'license'
),
licensed_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        p.site_id,
        p.weight,
        l.target_host,
        l.target_host = p.url_host_name
            OR l.target_host = p.url_host_registered_domain
            OR right(l.target_host, length(p.url_host_registered_domain) + 1) = '.' || p.url_host_registered_domain AS is_own
    FROM licence_hosts AS l
    JOIN population AS p ON p.crawl = l.crawl AND p.body_id = l.body_id
    WHERE p.outcome IN ('rules', 'no_rules')
),
distinct_sites AS (
    SELECT DISTINCT crawl, stratum, site_id, weight FROM licensed_sites
),
licence_totals AS (
    SELECT crawl, stratum, sum(weight) AS sites_counted FROM distinct_sites GROUP BY crawl, stratum
),
host_totals AS (
    SELECT
        crawl,
        stratum,
        target_host,
        sum(weight) AS sites,
        sum(CASE WHEN is_own THEN weight ELSE 0 END) AS sites_of_own
    FROM licensed_sites
    GROUP BY crawl, stratum, target_host
),
ranked_hosts AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, target_host) AS bigint) AS place FROM host_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.target_host,
    r.sites,
    l.sites_counted,
    CAST(r.sites AS double) / nullif(l.sites_counted, 0) AS share,
    r.sites_of_own
FROM ranked_hosts AS r
JOIN licence_totals AS l ON l.crawl = r.crawl AND l.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
