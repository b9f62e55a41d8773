-- title: Population with blocking classes
-- question: Which counted sites block the same agents by the chosen definition?
-- grain: one row per counted site and stratum
-- reads: population, domain_sites
-- parameter: definition = exact
-- caveat: site_blocking_classes has the same classes for all sites.
SELECT *, class_id AS blocking_class_id
FROM population
WHERE $definition <> 'd9-any-subdomain'
UNION ALL
SELECT p.*, coalesce(d.blocking_class_id, p.class_id) AS blocking_class_id
FROM domain_sites AS d
RIGHT JOIN population AS p ON p.crawl = d.crawl AND p.site_id = d.site_id
WHERE $definition = 'd9-any-subdomain'
