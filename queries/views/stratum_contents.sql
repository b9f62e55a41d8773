-- title: Distinct bodies by stratum
-- question: With which weight does each distinct body hold for sites of a stratum?
-- grain: one row per crawl, stratum and distinct body
-- reads: population, bodies
SELECT p.crawl, p.stratum, min(p.body_id) AS body_id, sum(p.weight) AS weight
FROM population AS p
JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
GROUP BY p.crawl, p.stratum, b.content_digest
