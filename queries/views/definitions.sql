-- title: Definitions of blocking
-- question: Does a policy class block an agent, by each definition that looks at one site only?
-- grain: one row per policy class and tracked agent with a known verdict, with its verdict by each definition
-- reads: class_access
-- caveat: d1 to d8 are definitions that others use; docs/definitions.md explains them.
SELECT
    crawl,
    class_id,
    agent,
    match_kind,
    access,
    access = 'none' AS exact,
    match_kind = 'explicit' AS d1_named,
    match_kind = 'explicit' AND has_rules AS d2_named_with_rules,
    match_kind = 'explicit' AND has_disallow_root AS d3_named_root,
    is_only_disallow_root AS d4_only_root,
    has_disallow_root AND NOT has_allow_rules AS d5_root_no_allow,
    is_one_disallow_rule AND access = 'none' AS d6_one_root_rule,
    match_kind = 'explicit' AND access = 'none' AS d7_named_none,
    NOT root_allowed AS d8_root
FROM class_access
WHERE access IS NOT NULL
