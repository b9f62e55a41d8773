-- title: Blocking classes of sites
-- question: Which sites block the same agents by the chosen definition?
-- grain: one row per site
-- reads: sites, domain_sites
-- parameter: crawl = ''
-- parameter: definition = exact
-- caveat: A blocking class has the id of its policy class. By d9, sites whose domain has other classes that block are in blocking classes of their own, with ids below -99.
SELECT crawl, site_id, class_id, class_id AS blocking_class_id
FROM sites
WHERE $definition <> 'd9-any-subdomain' AND ($crawl = '' OR crawl = $crawl)
UNION ALL
SELECT s.crawl, s.site_id, s.class_id, coalesce(d.blocking_class_id, s.class_id) AS blocking_class_id
FROM domain_sites AS d
RIGHT JOIN sites AS s ON s.crawl = d.crawl AND s.site_id = d.site_id
WHERE $definition = 'd9-any-subdomain' AND ($crawl = '' OR s.crawl = $crawl)
