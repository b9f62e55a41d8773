-- title: Distinct bodies by stratum
-- question: With which weight does each distinct body hold for sites of a stratum?
-- grain: one row per crawl, stratum and distinct body
-- reads: population, bodies
WITH weights_by_body AS (
    SELECT crawl, stratum, body_id, sum(weight) AS weight
    FROM population
    WHERE body_id IS NOT NULL
    GROUP BY crawl, stratum, body_id
)
SELECT w.crawl, w.stratum, min(w.body_id) AS body_id, sum(w.weight) AS weight
FROM weights_by_body AS w
JOIN bodies AS b ON b.crawl = w.crawl AND b.body_id = w.body_id
GROUP BY w.crawl, w.stratum, b.content_digest
