-- title: Sites that block unnamed crawlers
-- id: D14
-- question: What share of sites blocks every crawler that it does not name, and do these sites have pages?
-- grain: one row per crawl and stratum
-- reads: weighed_sites, blocking
-- parameter: few number = 10, pages: a site with fewer pages in the table weights counts as parked or unfinished
-- column: sites: sites that block unnamed crawlers (*)
-- column: sites_without_exception: of these sites, those that also block every tracked agent that they name
-- column: share_without_exception: sites_without_exception divided by sites_counted
-- column: sites_blocking_with_few_pages: of these sites, those with fewer pages in the table weights than --few
-- column: sites_blocking_weighed: of these sites, those that the table weights lists
-- column: share_with_few_pages_of_blocking: sites_blocking_with_few_pages divided by sites_blocking_weighed; null if sites_blocking_weighed is 0
-- column: share_with_few_pages_of_all: of all counted sites that the table weights lists, the share with fewer pages than --few; null if there are none
-- caveat: sites_without_exception block all crawlers that they do not name, and name no tracked agent without blocking it.
-- caveat: The table weights (--table weights=FILE) lists hosts or domains with the number of pages fetched from each. Without it, the last two columns are null, and the counts before them are 0.
-- caveat: A crawler that obeys robots.txt fetches few pages from a site that blocks it, so its page counts prove little about these sites.
WITH site_pages AS (
    SELECT crawl, stratum, site_id, weight, listed_weight AS pages FROM weighed_sites
),
stratum_pages AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE WHEN pages IS NOT NULL THEN weight ELSE 0 END) AS sites_weighed,
        sum(CASE WHEN pages < $few THEN weight ELSE 0 END) AS sites_with_few_pages
    FROM site_pages
    GROUP BY crawl, stratum
),
blocking_sites AS (
    SELECT s.crawl, s.stratum, s.site_id, s.weight, s.pages
    FROM site_pages AS s
    JOIN blocking AS b ON b.crawl = s.crawl AND b.site_id = s.site_id
    WHERE b.agent = '*' AND b.blocked
),
-- Sites that name a tracked agent and do not block it.
sites_with_exception AS (
    SELECT DISTINCT crawl, site_id FROM blocking WHERE agent <> '*' AND match_kind = 'explicit' AND NOT blocked
),
blocking_totals AS (
    SELECT
        b.crawl,
        b.stratum,
        sum(b.weight) AS sites,
        sum(CASE WHEN s.site_id IS NULL THEN b.weight ELSE 0 END) AS sites_without_exception,
        sum(CASE WHEN b.pages IS NOT NULL THEN b.weight ELSE 0 END) AS sites_blocking_weighed,
        sum(CASE WHEN b.pages < $few THEN b.weight ELSE 0 END) AS sites_blocking_with_few_pages
    FROM blocking_sites AS b
    LEFT JOIN sites_with_exception AS s ON s.crawl = b.crawl AND s.site_id = b.site_id
    GROUP BY b.crawl, b.stratum
)
SELECT
    s.crawl,
    s.stratum,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_without_exception, 0) AS sites_without_exception,
    s.sites_counted,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(coalesce(b.sites_without_exception, 0) AS double) / nullif(s.sites_counted, 0) AS share_without_exception,
    coalesce(b.sites_blocking_with_few_pages, 0) AS sites_blocking_with_few_pages,
    coalesce(b.sites_blocking_weighed, 0) AS sites_blocking_weighed,
    CAST(b.sites_blocking_with_few_pages AS double) / nullif(b.sites_blocking_weighed, 0) AS share_with_few_pages_of_blocking,
    CAST(s.sites_with_few_pages AS double) / nullif(s.sites_weighed, 0) AS share_with_few_pages_of_all
FROM stratum_pages AS s
LEFT JOIN blocking_totals AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
ORDER BY s.crawl, s.stratum
