-- title: Bodies that no capture has
-- grain: one row per crawl and body
-- reads: bodies, captures
WITH captured AS (
    SELECT DISTINCT crawl, body_id FROM captures WHERE body_id IS NOT NULL
)
SELECT b.crawl, b.body_id, b.content_digest
FROM bodies AS b
LEFT JOIN captured AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
WHERE c.body_id IS NULL
ORDER BY b.crawl, b.body_id
