-- title: Policy classes by stratum
-- question: How many sites of each policy class are counted, in which stratum, and with which weight?
-- grain: one row per crawl, stratum and policy class
-- reads: population_classes
SELECT crawl, stratum, blocking_class_id, sum(weight) AS weight, count(*) AS sites
FROM population_classes
GROUP BY crawl, stratum, blocking_class_id
