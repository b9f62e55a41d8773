-- title: Access by site and agent
-- question: What does each site say to each tracked agent?
-- grain: one row per site and tracked agent, and one with a star for a crawler that no file names
-- reads: sites, policies, agents
-- parameter: crawl crawl = '', name: the crawl that is made
-- parameter: first integer = 0, place: the first agent that is made, by place among those tracked, the star first
-- parameter: last integer = 1000000, place: the last one
-- caveat: where no rule holds, access_without_rules of the site counts: a file that is unavailable allows all (RFC 9309 section 2.3.1.3), one that is unreachable blocks all (section 2.3.1.4)
WITH tracked AS (
    SELECT agent, row_number() OVER (ORDER BY agent) - 1 AS place
    FROM (SELECT '*' AS agent UNION ALL SELECT DISTINCT lower(token) AS agent FROM agents WHERE tracked) AS listed
),
asked AS (
    SELECT agent FROM tracked WHERE place BETWEEN $first AND $last
),
site AS (
    SELECT site_id, access_without_rules, body_id FROM sites WHERE crawl = $crawl
),
named AS (
    SELECT * FROM policies WHERE crawl = $crawl AND token IN (SELECT agent FROM asked) AND token <> '*'
),
star AS (
    SELECT * FROM policies WHERE crawl = $crawl AND token = '*'
),
held AS (
    SELECT
        a.agent,
        s.site_id,
        s.access_without_rules,
        CASE WHEN n.body_id IS NOT NULL THEN 'explicit' WHEN w.body_id IS NOT NULL THEN 'wildcard' ELSE 'none' END AS match_kind,
        CASE WHEN n.body_id IS NOT NULL THEN n.access ELSE w.access END AS access,
        CASE WHEN n.body_id IS NOT NULL THEN n.root_allowed ELSE w.root_allowed END AS root_allowed,
        CASE WHEN n.body_id IS NOT NULL THEN n.allow_rules ELSE w.allow_rules END AS allow_rules,
        CASE WHEN n.body_id IS NOT NULL THEN n.disallow_rules ELSE w.disallow_rules END AS disallow_rules,
        CASE WHEN n.body_id IS NOT NULL THEN n.has_disallow_root ELSE w.has_disallow_root END AS has_disallow_root,
        CASE WHEN n.body_id IS NOT NULL THEN n.is_only_disallow_root ELSE w.is_only_disallow_root END AS is_only_disallow_root,
        CASE WHEN n.body_id IS NOT NULL THEN n.deciding_line ELSE w.deciding_line END AS deciding_line
    FROM site AS s
    CROSS JOIN asked AS a
    LEFT JOIN named AS n ON n.body_id = s.body_id AND n.token = a.agent
    LEFT JOIN star AS w ON w.body_id = s.body_id
)
SELECT
    agent,
    site_id,
    match_kind,
    coalesce(access, access_without_rules) AS access,
    coalesce(root_allowed, access_without_rules = 'all') AS root_allowed,
    CAST(coalesce(allow_rules, 0) AS int) AS allow_rules,
    CAST(coalesce(disallow_rules, 0) AS int) AS disallow_rules,
    coalesce(has_disallow_root, false) AS has_disallow_root,
    coalesce(is_only_disallow_root, false) AS is_only_disallow_root,
    deciding_line
FROM held
ORDER BY agent, site_id
