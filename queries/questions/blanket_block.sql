-- title: Sites closed to everybody
-- id: D14
-- question: Which share of sites blocks whoever it does not name, and are these sites alive?
-- grain: one row per crawl and stratum
-- reads: population, blocking, weights
-- parameter: few number = 10, pages: a site of fewer pages, by the table weights, is taken for one that is parked or unfinished
-- caveat: with --table weights=FILE, a list of hosts or domains and how many pages were fetched of each; without it the last columns are null
-- caveat: a site that is closed to the crawler has few pages in its crawl for that reason, so that pages counted by one that obeys robots.txt say little
WITH told AS (
    SELECT p.crawl, p.site_id, p.stratum, p.weight, coalesce(h.weight, d.weight) AS pages
    FROM population AS p
    LEFT JOIN weights AS h ON h.host = p.url_host_name
    LEFT JOIN weights AS d ON d.host = p.url_host_registered_domain
),
counted AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE WHEN pages IS NOT NULL THEN weight ELSE 0 END) AS sites_weighed,
        sum(CASE WHEN pages < $few THEN weight ELSE 0 END) AS sites_with_few_pages
    FROM told
    GROUP BY crawl, stratum
),
closed AS (
    SELECT t.crawl, t.stratum, t.site_id, t.weight, t.pages
    FROM told AS t
    JOIN blocking AS b ON b.crawl = t.crawl AND b.site_id = t.site_id
    WHERE b.agent = '*' AND b.blocked
),
-- Who is let in all the same, of the agents that are tracked.
opened AS (
    SELECT DISTINCT crawl, site_id FROM blocking WHERE agent <> '*' AND match_kind = 'explicit' AND NOT blocked
),
summed AS (
    SELECT
        c.crawl,
        c.stratum,
        sum(c.weight) AS sites,
        sum(CASE WHEN o.site_id IS NULL THEN c.weight ELSE 0 END) AS sites_without_exception,
        sum(CASE WHEN c.pages IS NOT NULL THEN c.weight ELSE 0 END) AS sites_closed_weighed,
        sum(CASE WHEN c.pages < $few THEN c.weight ELSE 0 END) AS sites_closed_with_few_pages
    FROM closed AS c
    LEFT JOIN opened AS o ON o.crawl = c.crawl AND o.site_id = c.site_id
    GROUP BY c.crawl, c.stratum
)
SELECT
    c.crawl,
    c.stratum,
    coalesce(s.sites, 0) AS sites,
    coalesce(s.sites_without_exception, 0) AS sites_without_exception,
    c.sites_counted,
    coalesce(s.sites, 0) / nullif(c.sites_counted, 0) AS share,
    coalesce(s.sites_without_exception, 0) / nullif(c.sites_counted, 0) AS share_without_exception,
    coalesce(s.sites_closed_with_few_pages, 0) AS sites_closed_with_few_pages,
    coalesce(s.sites_closed_weighed, 0) AS sites_closed_weighed,
    s.sites_closed_with_few_pages / nullif(s.sites_closed_weighed, 0) AS share_with_few_pages_of_closed,
    c.sites_with_few_pages / nullif(c.sites_weighed, 0) AS share_with_few_pages_of_all
FROM counted AS c
LEFT JOIN summed AS s ON s.crawl = c.crawl AND s.stratum = c.stratum
ORDER BY c.crawl, c.stratum
