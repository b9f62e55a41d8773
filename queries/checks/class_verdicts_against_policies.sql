-- title: Sites whose verdicts differ from those of their policy class, and classes of the wrong body or of no site
-- grain: one row per crawl, table, id and agent; the id is that of a site, a body or a class
-- reads: sites, policies, tracked_agents, body_classes, class_verdicts
WITH tracked_policies AS (
    SELECT
        p.crawl,
        p.body_id,
        p.token AS agent,
        CASE p.token WHEN '*' THEN 'wildcard' ELSE 'explicit' END AS match_kind,
        p.access,
        p.root_allowed,
        p.allow_rules + p.disallow_rules > 0 AS has_rules,
        p.allow_rules > 0 AS has_allow_rules,
        p.allow_rules = 0 AND p.disallow_rules = 1 AS is_one_disallow_rule,
        p.has_disallow_root,
        p.is_only_disallow_root
    FROM policies AS p
    JOIN tracked_agents AS t ON t.crawl = p.crawl AND t.agent = p.token
),
expected_verdicts AS (
    SELECT
        s.crawl,
        s.site_id,
        p.agent,
        p.match_kind,
        p.access,
        p.root_allowed,
        p.has_rules,
        p.has_allow_rules,
        p.is_one_disallow_rule,
        p.has_disallow_root,
        p.is_only_disallow_root
    FROM sites AS s
    JOIN tracked_policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id
    UNION ALL
    -- Without a group for *, the outcome decides for every agent that the file does not name.
    SELECT
        s.crawl,
        s.site_id,
        '*' AS agent,
        'none' AS match_kind,
        s.access_without_rules AS access,
        s.access_without_rules = 'all' AS root_allowed,
        false AS has_rules,
        false AS has_allow_rules,
        false AS is_one_disallow_rule,
        false AS has_disallow_root,
        false AS is_only_disallow_root
    FROM sites AS s
    LEFT JOIN tracked_policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id AND p.agent = '*'
    WHERE p.body_id IS NULL
),
found_verdicts AS (
    SELECT c.site_id, v.*
    FROM sites AS c
    JOIN class_verdicts AS v ON v.crawl = c.crawl AND v.class_id = c.class_id
),
compared_verdicts AS (
    SELECT
        coalesce(e.crawl, f.crawl) AS crawl,
        coalesce(e.site_id, f.site_id) AS site_id,
        coalesce(e.agent, f.agent) AS agent,
        coalesce(
            e.match_kind = f.match_kind
                AND (e.access IS NOT DISTINCT FROM f.access)
                AND (e.root_allowed IS NOT DISTINCT FROM f.root_allowed)
                AND e.has_rules = f.has_rules
                AND e.has_allow_rules = f.has_allow_rules
                AND e.is_one_disallow_rule = f.is_one_disallow_rule
                AND e.has_disallow_root = f.has_disallow_root
                AND e.is_only_disallow_root = f.is_only_disallow_root,
            false
        ) AS is_same
    FROM expected_verdicts AS e
    FULL JOIN found_verdicts AS f ON f.crawl = e.crawl AND f.site_id = e.site_id AND f.agent = e.agent
)
SELECT crawl, 'sites' AS table_name, site_id AS id, agent
FROM compared_verdicts
WHERE NOT is_same
UNION ALL
-- A site has the class of its body. Without one, it has a negative class.
SELECT s.crawl, 'sites' AS table_name, s.site_id AS id, CAST(NULL AS varchar) AS agent
FROM body_classes AS c
RIGHT JOIN sites AS s ON s.crawl = c.crawl AND s.body_id = c.body_id
WHERE s.class_id <> c.class_id OR (c.class_id IS NULL AND s.class_id >= 0)
UNION ALL
-- A class has the id of its first body.
SELECT c.crawl, 'body_classes' AS table_name, c.body_id AS id, CAST(NULL AS varchar) AS agent
FROM body_classes AS c
LEFT JOIN body_classes AS f ON f.crawl = c.crawl AND f.body_id = c.class_id
WHERE c.class_id > c.body_id OR (f.class_id IS DISTINCT FROM c.class_id)
UNION ALL
SELECT v.crawl, 'class_verdicts' AS table_name, v.class_id AS id, v.agent
FROM class_verdicts AS v
WHERE NOT EXISTS (SELECT 1 FROM sites AS s WHERE s.crawl = v.crawl AND s.class_id = v.class_id)
ORDER BY crawl, table_name, id, agent
