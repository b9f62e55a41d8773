-- title: Sites that do not say what their stance says
-- grain: one row per crawl, site and agent that differs, or that one of the tables lacks
-- reads: site_stances, stances, site_access
WITH voiced AS (
    SELECT v.stance_id, a.*
    FROM site_stances AS v
    RIGHT JOIN site_access AS a ON a.crawl = v.crawl AND a.site_id = v.site_id
),
compared AS (
    SELECT
        v.crawl,
        v.site_id,
        v.agent,
        v.stance_id,
        coalesce(
            s.match_kind = v.match_kind
                AND (s.access IS NOT DISTINCT FROM v.access)
                AND (s.root_allowed IS NOT DISTINCT FROM v.root_allowed)
                AND s.has_rules = (v.allow_rules + v.disallow_rules > 0)
                AND s.has_allow_rules = (v.allow_rules > 0)
                AND s.is_one_disallow_rule = (v.allow_rules = 0 AND v.disallow_rules = 1)
                AND s.has_disallow_root = v.has_disallow_root
                AND s.is_only_disallow_root = v.is_only_disallow_root,
            false
        ) AS is_same
    FROM stances AS s
    RIGHT JOIN voiced AS v ON v.crawl = s.crawl AND v.stance_id = s.stance_id AND v.agent = s.agent
)
SELECT crawl, site_id, agent, stance_id
FROM compared
WHERE NOT is_same
UNION ALL
-- A stance is the first site that has it, and says nothing else.
SELECT s.crawl, s.stance_id AS site_id, s.agent, s.stance_id
FROM stances AS s
LEFT JOIN site_access AS a ON a.crawl = s.crawl AND a.site_id = s.stance_id AND a.agent = s.agent
WHERE a.site_id IS NULL
UNION ALL
SELECT v.crawl, v.site_id, CAST(NULL AS varchar) AS agent, v.stance_id
FROM site_stances AS v
LEFT JOIN site_stances AS f ON f.crawl = v.crawl AND f.site_id = v.stance_id
WHERE v.stance_id > v.site_id OR f.stance_id IS DISTINCT FROM v.stance_id
ORDER BY crawl, site_id, agent
