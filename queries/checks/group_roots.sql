-- title: Groups whose verdict on / differs from their rules
-- grain: one row per crawl, body and group
-- reads: groups, rules
WITH root_rules AS (
    SELECT crawl, body_id, group_no, allow, pattern
    FROM rules
    WHERE group_no IS NOT NULL AND matches_root
),
judged_groups AS (
    SELECT crawl, body_id, group_no, robots_allowed(allow, pattern, '/') AS root_allowed
    FROM root_rules
    GROUP BY crawl, body_id, group_no
)
SELECT DISTINCT
    g.crawl,
    g.body_id,
    g.group_no,
    g.root_weight,
    g.root_allowed AS root_allowed_stored,
    coalesce(j.root_allowed, true) AS root_allowed_found
FROM groups AS g
LEFT JOIN judged_groups AS j ON j.crawl = g.crawl AND j.body_id = g.body_id AND j.group_no = g.group_no
WHERE g.root_allowed <> coalesce(j.root_allowed, true)
ORDER BY crawl, body_id, group_no
