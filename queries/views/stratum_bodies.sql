-- title: Bodies by stratum
-- question: With which weight does each body hold for sites of a stratum?
-- grain: one row per crawl, stratum, outcome and body; without body_id for sites without a body
-- reads: population
SELECT crawl, stratum, outcome, body_id, sum(weight) AS weight
FROM population
GROUP BY crawl, stratum, outcome, body_id
