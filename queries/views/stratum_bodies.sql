-- title: Bodies by stratum
-- question: How much weight do the sites of a stratum with each body have?
-- grain: one row per crawl, stratum, outcome and body; body_id is null for sites without a body
-- reads: population
SELECT crawl, stratum, outcome, body_id, sum(weight) AS weight, sum(weight_slack) AS weight_slack
FROM population
GROUP BY crawl, stratum, outcome, body_id
