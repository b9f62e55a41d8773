-- title: Totals by crawl
-- question: How many distinct bodies does a crawl have, and for how many sites do they hold?
-- grain: one row per crawl
-- reads: contents
SELECT crawl, count(*) AS bodies_counted, sum(sites) AS sites_counted
FROM contents
GROUP BY crawl
