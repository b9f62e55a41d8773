-- title: Rules and records whose group is missing
-- grain: one row per crawl, body, missing group and table that refers to it
-- reads: groups, rules, records, preferences
WITH named_groups AS (
    SELECT DISTINCT crawl, body_id, group_no, 'rules' AS table_name FROM rules WHERE group_no IS NOT NULL
    UNION ALL
    SELECT DISTINCT crawl, body_id, group_no, 'records' AS table_name FROM records WHERE group_no IS NOT NULL
    UNION ALL
    SELECT DISTINCT crawl, body_id, group_no, 'preferences' AS table_name FROM preferences WHERE group_no IS NOT NULL
),
known_groups AS (
    SELECT DISTINCT crawl, body_id, group_no FROM groups
)
SELECT n.crawl, n.body_id, n.group_no, n.table_name
FROM named_groups AS n
LEFT JOIN known_groups AS k ON k.crawl = n.crawl AND k.body_id = n.body_id AND k.group_no = n.group_no
WHERE k.body_id IS NULL
ORDER BY n.crawl, n.body_id, n.group_no, n.table_name
