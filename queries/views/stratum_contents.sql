-- title: Distinct bodies by stratum
-- question: How much weight do the sites of a stratum with each distinct body have?
-- grain: one row per crawl, stratum and distinct body
-- reads: stratum_bodies, bodies
SELECT s.crawl, s.stratum, min(s.body_id) AS body_id, sum(s.weight) AS weight, sum(s.weight_slack) AS weight_slack
FROM stratum_bodies AS s
JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
GROUP BY s.crawl, s.stratum, b.content_digest
