-- title: Contents
-- question: Which distinct bodies were read, and for how many sites does each hold?
-- grain: one row per crawl and distinct body that holds for a site
-- reads: sites, bodies
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
WITH held AS (
    SELECT crawl, body_id, count(*) AS sites
    FROM sites
    WHERE body_id IS NOT NULL AND ($crawl = '' OR crawl = $crawl)
    GROUP BY crawl, body_id
)
-- A body is stored once in each part; the first stands for all that are equal.
SELECT h.crawl, min(h.body_id) AS body_id, CAST(sum(h.sites) AS bigint) AS sites
FROM held AS h
JOIN bodies AS b ON b.crawl = h.crawl AND b.body_id = h.body_id
GROUP BY h.crawl, b.content_digest
