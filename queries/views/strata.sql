-- title: Strata
-- question: How many sites are counted in each stratum?
-- grain: one row per crawl and stratum
-- reads: population
SELECT crawl, stratum, sum(weight) AS sites_counted
FROM population
GROUP BY crawl, stratum
