-- title: Totals of strata
-- question: How many distinct bodies does a stratum have, and how many sites are counted in it?
-- grain: one row per crawl and stratum
-- reads: strata, stratum_contents
WITH body_totals AS (
    SELECT crawl, stratum, count(*) AS bodies_counted FROM stratum_contents GROUP BY crawl, stratum
)
SELECT s.crawl, s.stratum, coalesce(b.bodies_counted, 0) AS bodies_counted, s.sites_counted
FROM strata AS s
LEFT JOIN body_totals AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
