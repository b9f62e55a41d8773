-- title: Gains that differ from groups and rules
-- grain: one row per crawl, body and token whose gain is missing, superfluous or different
-- reads: policies, groups, rules
-- caveat: Of the tokens of a body with equal counts and gains, the first is compared with the rules: often they share their groups.
-- caveat: Bodies with more than 10,000 pairs of a rule of a token and a rule of the wildcard group are not compared with the rules, so a file cannot make this check slow.
WITH
-- Policies that need a gain: they and the wildcard group disallow some paths, but not all.
partly_blocking_wildcards AS (
    SELECT crawl, body_id, disallow_rules FROM policies WHERE token = '*' AND access = 'part'
),
first_tokens AS (
    SELECT
        p.crawl,
        p.body_id,
        min(p.token) AS token,
        min(p.disallow_rules) * min(w.disallow_rules) AS pairs
    FROM partly_blocking_wildcards AS w
    JOIN policies AS p ON p.crawl = w.crawl AND p.body_id = w.body_id
    WHERE p.token <> '*' AND p.access = 'part'
    GROUP BY p.crawl, p.body_id, p.merged_groups, p.allow_rules, p.disallow_rules, p.rules_beyond_500_kib, p.gain, p.gained_paths
),
compared_bodies AS (
    SELECT crawl, body_id FROM first_tokens GROUP BY crawl, body_id HAVING sum(pairs) <= 10000
),
compared_tokens AS (
    SELECT t.crawl, t.body_id, t.token
    FROM compared_bodies AS b
    JOIN first_tokens AS t ON t.crawl = b.crawl AND t.body_id = b.body_id
    UNION ALL
    SELECT crawl, body_id, '*' AS token FROM compared_bodies
),
named_groups AS (
    SELECT crawl, body_id, group_no, token FROM groups WHERE agent <> ''
    UNION
    SELECT crawl, body_id, group_no, robots_product_token(token) AS token FROM groups WHERE agent <> ''
),
token_groups AS (
    SELECT g.crawl, g.body_id, g.group_no, g.token
    FROM compared_tokens AS t
    JOIN named_groups AS g ON g.crawl = t.crawl AND g.body_id = t.body_id AND g.token = t.token
),
-- Patterns that can match a path, and that no allow rule of the same token has.
disallowed_patterns AS (
    SELECT
        g.crawl,
        g.body_id,
        g.token,
        coalesce(r.pattern_normal, r.pattern) AS pattern,
        max(CASE WHEN r.wildcards = 0 AND NOT r.anchored THEN 0 ELSE 1 END) AS is_special
    FROM token_groups AS g
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    WHERE left(coalesce(r.pattern_normal, r.pattern), 1) IN ('/', '*')
    GROUP BY g.crawl, g.body_id, g.token, coalesce(r.pattern_normal, r.pattern)
    HAVING max(CASE WHEN r.allow THEN 1 ELSE 0 END) = 0
),
hidden_paths AS (
    SELECT crawl, body_id, pattern AS path FROM disallowed_patterns WHERE token = '*' AND is_special = 0
),
hidden_totals AS (
    SELECT crawl, body_id, count(*) AS paths FROM hidden_paths GROUP BY crawl, body_id
),
-- Hidden paths that a token is disallowed, too.
shared_totals AS (
    SELECT crawl, body_id, token, count(*) AS paths
    FROM (
        SELECT DISTINCT d.crawl, d.body_id, d.token, h.path
        FROM hidden_paths AS h
        JOIN disallowed_patterns AS d
            ON d.crawl = h.crawl
            AND d.body_id = h.body_id
            AND starts_with(h.path, d.pattern)
        WHERE d.token <> '*' AND d.is_special = 0
    ) AS shared_paths
    GROUP BY crawl, body_id, token
),
special_tokens AS (
    SELECT DISTINCT crawl, body_id, token FROM disallowed_patterns WHERE token <> '*' AND is_special = 1
),
found_gains AS (
    SELECT
        t.crawl,
        t.body_id,
        t.token,
        coalesce(h.paths, 0) - coalesce(s.paths, 0) AS gained_paths,
        CASE
            WHEN coalesce(h.paths, 0) = coalesce(s.paths, 0) THEN 'nothing'
            WHEN o.token IS NULL THEN 'paths'
            ELSE 'undecided'
        END AS gain
    FROM compared_tokens AS t
    LEFT JOIN hidden_totals AS h ON h.crawl = t.crawl AND h.body_id = t.body_id
    LEFT JOIN shared_totals AS s ON s.crawl = t.crawl AND s.body_id = t.body_id AND s.token = t.token
    LEFT JOIN special_tokens AS o ON o.crawl = t.crawl AND o.body_id = t.body_id AND o.token = t.token
    WHERE t.token <> '*'
)
SELECT
    p.crawl,
    p.body_id,
    p.token,
    p.access,
    p.gain AS gain_stored,
    f.gain AS gain_found,
    p.gained_paths AS gained_paths_stored,
    f.gained_paths AS gained_paths_found
FROM policies AS p
LEFT JOIN partly_blocking_wildcards AS w ON w.crawl = p.crawl AND w.body_id = p.body_id
LEFT JOIN found_gains AS f ON f.crawl = p.crawl AND f.body_id = p.body_id AND f.token = p.token
WHERE (p.gain IS NULL) <> (p.gained_paths IS NULL)
    OR (p.gain IS NOT NULL AND (p.token = '*' OR p.access <> 'part' OR w.body_id IS NULL))
    OR (p.gain = 'nothing') <> (p.gained_paths = 0)
    OR p.gained_paths > w.disallow_rules
    OR (f.token IS NOT NULL AND ((p.gain IS DISTINCT FROM f.gain) OR (p.gained_paths IS DISTINCT FROM f.gained_paths)))
ORDER BY crawl, body_id, token
