-- title: Contents
-- question: Which distinct bodies were read, and for how many sites does each hold?
-- grain: one row per crawl and distinct body that holds for a site
-- reads: sites, bodies
-- parameter: crawl = ''
WITH sites_by_body AS (
    SELECT crawl, body_id, count(*) AS sites
    FROM sites
    WHERE body_id IS NOT NULL AND ($crawl = '' OR crawl = $crawl)
    GROUP BY crawl, body_id
)
-- Each part of the tables stores a body once. The first stands for all that are equal.
SELECT s.crawl, min(s.body_id) AS body_id, CAST(sum(s.sites) AS bigint) AS sites
FROM sites_by_body AS s
JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
GROUP BY s.crawl, b.content_digest
