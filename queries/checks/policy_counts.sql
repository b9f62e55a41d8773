-- title: Policies whose counts differ from groups and rules
-- grain: one row per crawl, body and token whose policy is missing, superfluous or different
-- reads: policies, groups, rules
-- caveat: A group applies to its tokens, and to the product token at the start of each (RFC 9309 section 2.2.1).
WITH group_tokens AS (
    SELECT DISTINCT
        crawl,
        body_id,
        group_no,
        token,
        robots_product_token(token) AS product
    FROM groups
    WHERE agent <> ''
),
named_groups AS (
    SELECT crawl, body_id, group_no, token, 1 AS is_whole FROM group_tokens
    UNION ALL
    SELECT crawl, body_id, group_no, product AS token, 0 AS is_whole FROM group_tokens WHERE product <> ''
),
policy_groups AS (
    SELECT crawl, body_id, group_no, token, max(is_whole) AS is_whole FROM named_groups GROUP BY crawl, body_id, group_no, token
),
group_rules AS (
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
policy_totals AS (
    SELECT
        p.crawl,
        p.body_id,
        p.token,
        max(p.is_whole) = 1 AS is_written,
        count(*) AS merged_groups,
        sum(coalesce(g.allows, 0)) AS allow_rules,
        sum(coalesce(g.disallows, 0)) AS disallow_rules,
        sum(coalesce(g.disallow_roots, 0)) AS disallow_roots
    FROM policy_groups AS p
    LEFT JOIN group_rules AS g ON g.crawl = p.crawl AND g.body_id = p.body_id AND g.group_no = p.group_no
    GROUP BY p.crawl, p.body_id, p.token
)
SELECT
    coalesce(p.crawl, t.crawl) AS crawl,
    coalesce(p.body_id, t.body_id) AS body_id,
    coalesce(p.token, t.token) AS token,
    p.is_written AS is_written_said,
    t.is_written AS is_written_found,
    p.merged_groups AS merged_groups_said,
    t.merged_groups AS merged_groups_found,
    p.allow_rules AS allow_rules_said,
    t.allow_rules AS allow_rules_found,
    p.disallow_rules AS disallow_rules_said,
    t.disallow_rules AS disallow_rules_found,
    p.has_disallow_root,
    p.is_only_disallow_root,
    t.disallow_roots AS disallow_roots_found
FROM policies AS p
FULL JOIN policy_totals AS t ON t.crawl = p.crawl AND t.body_id = p.body_id AND t.token = p.token
WHERE p.body_id IS NULL
    OR t.body_id IS NULL
    OR p.is_written <> t.is_written
    OR p.merged_groups <> t.merged_groups
    OR p.allow_rules <> t.allow_rules
    OR p.disallow_rules <> t.disallow_rules
    OR p.has_disallow_root <> (t.disallow_roots > 0)
    OR p.is_only_disallow_root <> (t.disallow_roots > 0 AND t.disallow_roots = t.disallow_rules AND t.allow_rules = 0)
ORDER BY crawl, body_id, token
