-- title: Verdicts of policy classes
-- question: What verdict does each policy class have for each tracked agent that it names, and for all others?
-- grain: one row per policy class and tracked agent that it names, and one with * for all other agents
-- reads: sites, policies, tracked_agents
-- parameter: crawl crawl = '', name: the crawl
-- caveat: If no group applies, access_without_rules of the site counts: an unavailable file allows all paths (RFC 9309 section 2.3.1.3), an unreachable file blocks all (section 2.3.1.4).
WITH
-- A class has the id of its first body, which has the verdicts of all its bodies. Sites of one class have one access
-- without rules. Here and below, the smaller side of a join comes first, because it is kept in memory.
classes AS (
    SELECT DISTINCT class_id, access_without_rules FROM sites WHERE crawl = $crawl
),
body_policies AS (
    SELECT * FROM policies WHERE crawl = $crawl
),
tracked_policies AS (
    SELECT p.*
    FROM tracked_agents AS t
    JOIN body_policies AS p ON p.token = t.agent
    WHERE t.crawl = $crawl AND t.agent <> '*'
),
verdicts AS (
    SELECT
        p.token AS agent,
        c.class_id,
        'explicit' AS match_kind,
        p.access,
        p.root_allowed,
        p.allow_rules,
        p.disallow_rules,
        p.has_disallow_root,
        p.is_only_disallow_root
    FROM classes AS c
    JOIN tracked_policies AS p ON p.body_id = c.class_id
    UNION ALL
    SELECT
        '*' AS agent,
        c.class_id,
        CASE WHEN p.body_id IS NULL THEN 'none' ELSE 'wildcard' END AS match_kind,
        coalesce(p.access, c.access_without_rules) AS access,
        coalesce(p.root_allowed, c.access_without_rules = 'all') AS root_allowed,
        coalesce(p.allow_rules, 0) AS allow_rules,
        coalesce(p.disallow_rules, 0) AS disallow_rules,
        coalesce(p.has_disallow_root, false) AS has_disallow_root,
        coalesce(p.is_only_disallow_root, false) AS is_only_disallow_root
    FROM classes AS c
    LEFT JOIN body_policies AS p ON p.body_id = c.class_id AND p.token = '*'
)
SELECT
    agent,
    class_id,
    match_kind,
    access,
    root_allowed,
    allow_rules + disallow_rules > 0 AS has_rules,
    allow_rules > 0 AS has_allow_rules,
    allow_rules = 0 AND disallow_rules = 1 AS is_one_disallow_rule,
    has_disallow_root,
    is_only_disallow_root
FROM verdicts
ORDER BY agent, class_id
