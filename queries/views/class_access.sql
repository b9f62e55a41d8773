-- title: Access by policy class and agent
-- question: What does each policy class say to each tracked agent?
-- grain: one row per policy class and tracked agent, and one with * for all other agents
-- reads: class_verdicts, tracked_agents
-- caveat: an agent that a class does not name has the verdict of *; class_verdicts stores no row for it
WITH unnamed AS (
    SELECT * FROM class_verdicts WHERE agent = '*'
)
SELECT
    u.crawl,
    t.agent,
    u.class_id,
    coalesce(n.match_kind, u.match_kind) AS match_kind,
    coalesce(n.access, u.access) AS access,
    coalesce(n.root_allowed, u.root_allowed) AS root_allowed,
    coalesce(n.has_rules, u.has_rules) AS has_rules,
    coalesce(n.has_allow_rules, u.has_allow_rules) AS has_allow_rules,
    coalesce(n.is_one_disallow_rule, u.is_one_disallow_rule) AS is_one_disallow_rule,
    coalesce(n.has_disallow_root, u.has_disallow_root) AS has_disallow_root,
    coalesce(n.is_only_disallow_root, u.is_only_disallow_root) AS is_only_disallow_root
FROM unnamed AS u
JOIN tracked_agents AS t ON t.crawl = u.crawl
LEFT JOIN class_verdicts AS n ON n.crawl = u.crawl AND n.class_id = u.class_id AND n.agent = t.agent
