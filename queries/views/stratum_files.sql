-- title: Files by stratum
-- question: How much weight do the sites of a stratum with each robots.txt have?
-- grain: one row per crawl, stratum, outcome and body
-- reads: stratum_bodies
-- caveat: Bodies that are not a robots.txt, such as web pages, are left out.
SELECT crawl, stratum, body_id, weight
FROM stratum_bodies
WHERE outcome IN ('rules', 'no_rules')
