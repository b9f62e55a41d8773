-- title: Policies that differ from groups and rules
-- grain: one row per crawl, body and token whose policy is missing, superfluous or different
-- reads: policies, groups, rules
-- caveat: A group applies to its tokens, and to the product token at the start of each (RFC 9309 section 2.2.1). If several groups apply, the one with the greatest root_weight decides on /.
-- caveat: access is compared only where the counts or the verdict on / determine it.
WITH group_tokens AS (
    SELECT DISTINCT
        crawl,
        body_id,
        group_no,
        token,
        robots_product_token(token) AS product,
        root_allowed,
        root_weight
    FROM groups
    WHERE agent <> ''
),
named_groups AS (
    SELECT crawl, body_id, group_no, token, root_allowed, root_weight, 1 AS is_whole FROM group_tokens
    UNION ALL
    SELECT crawl, body_id, group_no, product AS token, root_allowed, root_weight, 0 AS is_whole FROM group_tokens WHERE product <> ''
),
policy_groups AS (
    SELECT crawl, body_id, group_no, token, root_allowed, root_weight, max(is_whole) AS is_whole
    FROM named_groups
    GROUP BY crawl, body_id, group_no, token, root_allowed, root_weight
),
group_rules AS (
    SELECT
        crawl,
        body_id,
        group_no,
        sum(CASE WHEN allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN allow THEN 0 ELSE 1 END) AS disallows,
        sum(CASE WHEN NOT allow AND coalesce(pattern_normal, pattern) = '/' THEN 1 ELSE 0 END) AS disallow_roots,
        sum(CASE WHEN pattern = '' OR allow AND pattern IN ('/', '*', '/*') THEN 1 ELSE 0 END) AS allow_alls,
        sum(CASE WHEN beyond_500_kib THEN 1 ELSE 0 END) AS beyond
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
        sum(coalesce(g.disallow_roots, 0)) AS disallow_roots,
        sum(coalesce(g.allow_alls, 0)) AS allow_alls,
        sum(coalesce(g.beyond, 0)) AS beyond,
        max(CASE WHEN p.root_allowed THEN p.root_weight ELSE 0 END) > max(CASE WHEN p.root_allowed THEN 0 ELSE p.root_weight END) AS root_allowed
    FROM policy_groups AS p
    LEFT JOIN group_rules AS g ON g.crawl = p.crawl AND g.body_id = p.body_id AND g.group_no = p.group_no
    GROUP BY p.crawl, p.body_id, p.token
),
-- Each line has at most one rule.
deciding_rules AS (
    SELECT crawl, body_id, line_no, allow FROM rules WHERE group_no IS NOT NULL AND matches_root
)
SELECT
    coalesce(p.crawl, t.crawl) AS crawl,
    coalesce(p.body_id, t.body_id) AS body_id,
    coalesce(p.token, t.token) AS token,
    p.is_written AS is_written_stored,
    t.is_written AS is_written_found,
    p.merged_groups AS merged_groups_stored,
    t.merged_groups AS merged_groups_found,
    p.allow_rules AS allow_rules_stored,
    t.allow_rules AS allow_rules_found,
    p.disallow_rules AS disallow_rules_stored,
    t.disallow_rules AS disallow_rules_found,
    p.rules_beyond_500_kib AS rules_beyond_500_kib_stored,
    t.beyond AS rules_beyond_500_kib_found,
    p.has_disallow_root,
    p.is_only_disallow_root,
    t.disallow_roots AS disallow_roots_found,
    p.is_only_allow_all,
    t.allow_alls AS allow_alls_found,
    p.root_allowed AS root_allowed_stored,
    t.root_allowed AS root_allowed_found,
    p.deciding_line,
    d.allow AS deciding_line_allows,
    p.access
FROM policies AS p
FULL JOIN policy_totals AS t ON t.crawl = p.crawl AND t.body_id = p.body_id AND t.token = p.token
LEFT JOIN deciding_rules AS d ON d.crawl = p.crawl AND d.body_id = p.body_id AND d.line_no = p.deciding_line
WHERE p.body_id IS NULL
    OR t.body_id IS NULL
    OR p.is_written <> t.is_written
    OR p.merged_groups <> t.merged_groups
    OR p.allow_rules <> t.allow_rules
    OR p.disallow_rules <> t.disallow_rules
    OR p.rules_beyond_500_kib <> t.beyond
    OR p.has_disallow_root <> (t.disallow_roots > 0)
    OR p.is_only_disallow_root <> (t.disallow_roots > 0 AND t.disallow_roots = t.disallow_rules AND t.allow_rules = 0)
    OR p.is_only_allow_all <> (t.allow_alls > 0 AND t.allow_alls = t.allow_rules + t.disallow_rules)
    OR p.root_allowed <> t.root_allowed
    OR (p.deciding_line IS NOT NULL AND d.line_no IS NULL)
    OR coalesce(d.allow, true) <> p.root_allowed
    OR (p.access = 'all' AND NOT p.root_allowed)
    OR (p.access = 'none' AND p.root_allowed)
    OR (p.access <> 'all' AND p.disallow_rules = 0)
    OR (p.access <> 'none' AND p.has_disallow_root AND p.allow_rules = 0)
ORDER BY crawl, body_id, token
