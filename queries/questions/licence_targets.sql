-- title: Where licences lie
-- id: F05
-- question: To which hosts do the License records of robots.txt files point?
-- grain: one row per crawl, stratum and host that licences point to; the empty host stands for what is no absolute URL
-- reads: population, records
-- parameter: denominator one of rules read answered decided all = read, sites: which are counted, as in population
-- parameter: top integer = 50, hosts: how many, those of most sites first
-- caveat: sites_counted are the sites with a License record. A site with licences at several hosts counts with each, and one whose licence lies at its own host or domain counts in sites_of_own.
WITH licences AS (
    SELECT DISTINCT
        crawl,
        body_id,
        lower(split_part(split_part(split_part(split_part(split_part(value, '://', 2), '/', 1), '?', 1), '#', 1), ':', 1)) AS target_host
    FROM records
    WHERE key = 'license'
),
licensed AS (
    SELECT
        p.crawl,
        p.stratum,
        p.site_id,
        p.weight,
        l.target_host,
        l.target_host = p.url_host_name
            OR l.target_host = p.url_host_registered_domain
            OR right(l.target_host, length(p.url_host_registered_domain) + 1) = '.' || p.url_host_registered_domain AS is_own
    FROM licences AS l
    JOIN population AS p ON p.crawl = l.crawl AND p.body_id = l.body_id
    WHERE p.outcome IN ('rules', 'no_rules')
),
once AS (
    SELECT DISTINCT crawl, stratum, site_id, weight FROM licensed
),
totals AS (
    SELECT crawl, stratum, sum(weight) AS sites_counted FROM once GROUP BY crawl, stratum
),
counted AS (
    SELECT
        crawl,
        stratum,
        target_host,
        sum(weight) AS sites,
        sum(CASE WHEN is_own THEN weight ELSE 0 END) AS sites_of_own
    FROM licensed
    GROUP BY crawl, stratum, target_host
),
ranked AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, target_host) AS bigint) AS place FROM counted
)
SELECT
    r.crawl,
    r.stratum,
    r.target_host,
    r.sites,
    t.sites_counted,
    r.sites / nullif(t.sites_counted, 0) AS share,
    r.sites_of_own
FROM ranked AS r
JOIN totals AS t ON t.crawl = r.crawl AND t.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
