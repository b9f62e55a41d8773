-- title: Sites that do not say what their stance says
-- grain: one row per crawl, site and agent that differs, or that one of them lacks
-- reads: site_stances, stances, sites, site_access
WITH said AS (
    SELECT
        v.crawl,
        v.site_id,
        v.stance_id,
        s.agent,
        s.match_kind,
        s.access,
        s.root_allowed,
        s.has_rules,
        s.has_allow_rules,
        s.is_one_disallow_rule,
        s.has_disallow_root,
        s.is_only_disallow_root
    FROM site_stances AS v
    JOIN stances AS s ON s.crawl = v.crawl AND s.stance_id = v.stance_id
),
compared AS (
    SELECT
        coalesce(a.crawl, s.crawl) AS crawl,
        coalesce(a.site_id, s.site_id) AS site_id,
        coalesce(a.agent, s.agent) AS agent,
        s.stance_id,
        coalesce(
            s.match_kind = a.match_kind
                AND (s.access IS NOT DISTINCT FROM a.access)
                AND (s.root_allowed IS NOT DISTINCT FROM a.root_allowed)
                AND s.has_rules = (a.allow_rules + a.disallow_rules > 0)
                AND s.has_allow_rules = (a.allow_rules > 0)
                AND s.is_one_disallow_rule = (a.allow_rules = 0 AND a.disallow_rules = 1)
                AND s.has_disallow_root = a.has_disallow_root
                AND s.is_only_disallow_root = a.is_only_disallow_root,
            false
        ) AS is_same
    FROM said AS s
    FULL JOIN site_access AS a ON a.crawl = s.crawl AND a.site_id = s.site_id AND a.agent = s.agent
)
SELECT crawl, site_id, agent, stance_id
FROM compared
WHERE NOT is_same
UNION ALL
-- A stance is the first site that has it.
SELECT v.crawl, v.site_id, CAST(NULL AS varchar) AS agent, v.stance_id
FROM site_stances AS v
LEFT JOIN site_stances AS f ON f.crawl = v.crawl AND f.site_id = v.stance_id
WHERE v.stance_id > v.site_id OR f.stance_id IS DISTINCT FROM v.stance_id
ORDER BY crawl, site_id, agent
