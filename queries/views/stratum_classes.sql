-- title: Policy classes by stratum
-- question: How many sites of each policy class are counted, in which stratum, and with which weight?
-- grain: one row per crawl, stratum and policy class
-- reads: population, site_blocking_classes
SELECT p.crawl, p.stratum, v.blocking_class_id, sum(p.weight) AS weight, count(*) AS sites
FROM population AS p
JOIN site_blocking_classes AS v ON v.crawl = p.crawl AND v.site_id = p.site_id
GROUP BY p.crawl, p.stratum, v.blocking_class_id
