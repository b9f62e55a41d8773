-- title: Captures that differ from their body in length
-- grain: one row per crawl and capture
-- reads: captures, bodies
SELECT c.crawl, c.capture_id, c.body_id, c.body_bytes, b.body_bytes AS bytes_of_body
FROM captures AS c
JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
WHERE c.body_bytes <> b.body_bytes
ORDER BY c.crawl, c.capture_id
