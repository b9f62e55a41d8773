-- title: Stances
-- question: What do sites say to each tracked agent, where all that say the same are one?
-- grain: one row per stance and tracked agent, and one with a star for a crawler that no file names
-- reads: site_stances, site_access
-- parameter: crawl crawl = '', name: the crawl that is made
WITH stance AS (
    SELECT stance_id FROM site_stances WHERE crawl = $crawl AND site_id = stance_id
)
SELECT
    a.agent,
    s.stance_id,
    a.match_kind,
    a.access,
    a.root_allowed,
    a.allow_rules + a.disallow_rules > 0 AS has_rules,
    a.allow_rules > 0 AS has_allow_rules,
    a.allow_rules = 0 AND a.disallow_rules = 1 AS is_one_disallow_rule,
    a.has_disallow_root,
    a.is_only_disallow_root
FROM stance AS s
JOIN site_access AS a ON a.site_id = s.stance_id
WHERE a.crawl = $crawl
ORDER BY a.agent, s.stance_id
