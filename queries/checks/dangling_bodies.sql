-- title: Rows whose body is not there
-- grain: one row per crawl, body and table that names it
-- reads: bodies, captures, groups, rules, records, violations, policies, sites
WITH named AS (
    SELECT DISTINCT crawl, body_id, 'captures' AS table_name FROM captures WHERE body_id IS NOT NULL
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'groups' AS table_name FROM groups
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'rules' AS table_name FROM rules
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'records' AS table_name FROM records
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'violations' AS table_name FROM violations
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'policies' AS table_name FROM policies
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'sites' AS table_name FROM sites WHERE body_id IS NOT NULL
)
SELECT n.crawl, n.body_id, n.table_name
FROM named AS n
LEFT JOIN bodies AS b ON b.crawl = n.crawl AND b.body_id = n.body_id
WHERE b.body_id IS NULL
ORDER BY n.crawl, n.body_id, n.table_name
