-- title: Policies whose counts are not those of groups and rules
-- grain: one row per crawl, body and token whose policy is missing, is one too many, or differs
-- reads: policies, groups, rules
-- caveat: a group holds for its tokens, and for the product token that one of them begins with (RFC 9309 section 2.2.1)
WITH headed AS (
    SELECT DISTINCT
        crawl,
        body_id,
        group_no,
        token,
        -- The letters, underscores and hyphens that it begins with.
        substr(token, 1, length(token) - length(ltrim(token, 'abcdefghijklmnopqrstuvwxyz_-'))) AS product
    FROM groups
    WHERE agent <> ''
),
named AS (
    SELECT crawl, body_id, group_no, token, 1 AS is_whole FROM headed
    UNION ALL
    SELECT crawl, body_id, group_no, product AS token, 0 AS is_whole FROM headed WHERE product <> ''
),
held AS (
    SELECT crawl, body_id, group_no, token, max(is_whole) AS is_whole FROM named GROUP BY crawl, body_id, group_no, token
),
of_groups AS (
    SELECT
        crawl,
        body_id,
        group_no,
        sum(CASE WHEN allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN allow THEN 0 ELSE 1 END) AS disallows,
        sum(CASE WHEN NOT allow AND coalesce(pattern_normal, pattern) = '/' THEN 1 ELSE 0 END) AS disallow_roots
    FROM rules
    WHERE group_no IS NOT NULL
    GROUP BY crawl, body_id, group_no
),
counted AS (
    SELECT
        h.crawl,
        h.body_id,
        h.token,
        max(h.is_whole) = 1 AS is_written,
        count(*) AS merged_groups,
        sum(coalesce(g.allows, 0)) AS allow_rules,
        sum(coalesce(g.disallows, 0)) AS disallow_rules,
        sum(coalesce(g.disallow_roots, 0)) AS disallow_roots
    FROM held AS h
    LEFT JOIN of_groups AS g ON g.crawl = h.crawl AND g.body_id = h.body_id AND g.group_no = h.group_no
    GROUP BY h.crawl, h.body_id, h.token
)
SELECT
    coalesce(p.crawl, c.crawl) AS crawl,
    coalesce(p.body_id, c.body_id) AS body_id,
    coalesce(p.token, c.token) AS token,
    p.is_written AS is_written_said,
    c.is_written AS is_written_found,
    p.merged_groups AS merged_groups_said,
    c.merged_groups AS merged_groups_found,
    p.allow_rules AS allow_rules_said,
    c.allow_rules AS allow_rules_found,
    p.disallow_rules AS disallow_rules_said,
    c.disallow_rules AS disallow_rules_found,
    p.has_disallow_root,
    p.is_only_disallow_root,
    c.disallow_roots AS disallow_roots_found
FROM policies AS p
FULL JOIN counted AS c ON c.crawl = p.crawl AND c.body_id = p.body_id AND c.token = p.token
WHERE p.body_id IS NULL
    OR c.body_id IS NULL
    OR p.is_written <> c.is_written
    OR p.merged_groups <> c.merged_groups
    OR p.allow_rules <> c.allow_rules
    OR p.disallow_rules <> c.disallow_rules
    OR p.has_disallow_root <> (c.disallow_roots > 0)
    OR p.is_only_disallow_root <> (c.disallow_roots > 0 AND c.disallow_roots = c.disallow_rules AND c.allow_rules = 0)
ORDER BY crawl, body_id, token
