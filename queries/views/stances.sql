-- title: Stances
-- question: Which verdicts does class_access have, under its earlier name?
-- grain: one row per policy class and tracked agent, and one with * for all other agents
-- reads: class_access
-- caveat: The next version drops this name. Use class_access.
SELECT crawl, agent, class_id AS stance_id, match_kind, access, root_allowed, has_rules, has_allow_rules, is_one_disallow_rule, has_disallow_root, is_only_disallow_root
FROM class_access
