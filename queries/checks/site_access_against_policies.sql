-- title: Access of sites that is not what their bodies say
-- grain: one row per crawl, site and agent that differs
-- reads: sites, site_access, policies
WITH asked AS (
    SELECT DISTINCT agent FROM site_access
),
policy AS (
    SELECT * FROM policies WHERE token IN (SELECT agent FROM asked)
),
placed AS (
    SELECT
        a.*,
        s.outcome,
        s.access_without_rules,
        s.body_id,
        -- The policy that the row says it is of.
        CASE a.match_kind WHEN 'explicit' THEN a.agent WHEN 'wildcard' THEN '*' END AS chosen
    FROM site_access AS a
    JOIN sites AS s ON s.crawl = a.crawl AND s.site_id = a.site_id
),
compared AS (
    SELECT
        p.crawl,
        p.site_id,
        p.agent,
        p.outcome,
        p.match_kind,
        p.access,
        CASE
            WHEN n.body_id IS NOT NULL THEN 'explicit'
            WHEN w.body_id IS NOT NULL THEN 'wildcard'
            ELSE 'none'
        END AS expected_match_kind,
        coalesce(c.access, p.access_without_rules) AS expected_access,
        p.root_allowed,
        coalesce(c.root_allowed, p.access_without_rules = 'all') AS expected_root_allowed,
        p.allow_rules = coalesce(c.allow_rules, 0)
            AND p.disallow_rules = coalesce(c.disallow_rules, 0)
            AND p.has_disallow_root = coalesce(c.has_disallow_root, false)
            AND p.is_only_disallow_root = coalesce(c.is_only_disallow_root, false)
            AND (p.deciding_line IS NOT DISTINCT FROM c.deciding_line) AS are_facts_same
    FROM placed AS p
    LEFT JOIN policy AS c ON c.crawl = p.crawl AND c.body_id = p.body_id AND c.token = p.chosen
    LEFT JOIN policy AS n ON n.crawl = p.crawl AND n.body_id = p.body_id AND n.token = p.agent AND p.agent <> '*'
    LEFT JOIN policy AS w ON w.crawl = p.crawl AND w.body_id = p.body_id AND w.token = '*'
)
SELECT crawl, site_id, agent, outcome, match_kind, expected_match_kind, access, expected_access, root_allowed, expected_root_allowed, are_facts_same
FROM compared
WHERE match_kind <> expected_match_kind
    OR (access IS DISTINCT FROM expected_access)
    OR (root_allowed IS DISTINCT FROM expected_root_allowed)
    OR NOT are_facts_same
ORDER BY crawl, site_id, agent
