-- title: Access by site and agent
-- question: What verdict does each site have for each tracked agent?
-- grain: one row per site and tracked agent, and one with * for all other agents
-- reads: class_access, sites, policies
-- caveat: These rows are not stored. Restrict a query to the agents that you need.
SELECT
    s.crawl,
    a.agent,
    s.site_id,
    a.match_kind,
    a.access,
    a.root_allowed,
    CAST(coalesce(p.allow_rules, 0) AS int) AS allow_rules,
    CAST(coalesce(p.disallow_rules, 0) AS int) AS disallow_rules,
    a.has_disallow_root,
    a.is_only_disallow_root,
    p.deciding_line
FROM class_access AS a
JOIN sites AS s ON s.crawl = a.crawl AND s.class_id = a.class_id
-- The policy from which the verdict comes.
LEFT JOIN policies AS p
    ON p.crawl = s.crawl
    AND p.body_id = s.body_id
    AND p.token = a.policy_token
