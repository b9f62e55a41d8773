-- title: Rules and records whose group is not there
-- grain: one row per crawl, body, group and table that names it
-- reads: groups, rules, records
WITH named AS (
    SELECT DISTINCT crawl, body_id, group_no, 'rules' AS table_name FROM rules WHERE group_no IS NOT NULL
    UNION ALL
    SELECT DISTINCT crawl, body_id, group_no, 'records' AS table_name FROM records WHERE group_no IS NOT NULL
),
headed AS (
    SELECT DISTINCT crawl, body_id, group_no FROM groups
)
SELECT n.crawl, n.body_id, n.group_no, n.table_name
FROM named AS n
LEFT JOIN headed AS h ON h.crawl = n.crawl AND h.body_id = n.body_id AND h.group_no = n.group_no
WHERE h.body_id IS NULL
ORDER BY n.crawl, n.body_id, n.group_no, n.table_name
