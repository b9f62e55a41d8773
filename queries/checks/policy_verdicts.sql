-- title: Policies that differ from their rules
-- grain: one row per crawl, body and token whose policy differs
-- reads: policies, groups, rules
-- caveat: Only policies whose patterns have no * and no final $ are compared. Each of these patterns is the longest match of its own path, and only / matches /, so no path matching is needed.
WITH group_tokens AS (
    SELECT DISTINCT
        crawl,
        body_id,
        group_no,
        token,
        substr(token, 1, length(token) - length(ltrim(token, 'abcdefghijklmnopqrstuvwxyz_-'))) AS product
    FROM groups
    WHERE agent <> ''
),
policy_groups AS (
    SELECT crawl, body_id, group_no, token FROM group_tokens
    UNION
    SELECT crawl, body_id, group_no, product AS token FROM group_tokens WHERE product <> ''
),
merged_policies AS (
    SELECT crawl, body_id, token
    FROM policy_groups
    GROUP BY crawl, body_id, token
    HAVING count(*) > 1
),
-- Most tokens have one group, which is judged once for all its tokens. Others have several, judged together.
judged_groups AS (
    SELECT p.crawl, p.body_id, p.token, p.group_no, m.token IS NOT NULL AS is_several
    FROM policy_groups AS p
    LEFT JOIN merged_policies AS m ON m.crawl = p.crawl AND m.body_id = p.body_id AND m.token = p.token
),
group_rules AS (
    SELECT crawl, body_id, group_no, line_no, allow, coalesce(pattern_normal, pattern) AS pattern
    FROM rules
    WHERE group_no IS NOT NULL
),
rule_sets AS (
    SELECT crawl, body_id, group_no AS set_no, '' AS set_token, line_no, allow, pattern
    FROM group_rules
    UNION ALL
    SELECT g.crawl, g.body_id, -1 AS set_no, j.token AS set_token, g.line_no, g.allow, g.pattern
    FROM judged_groups AS j
    JOIN group_rules AS g ON g.crawl = j.crawl AND g.body_id = j.body_id AND g.group_no = j.group_no
    WHERE j.is_several
),
set_patterns AS (
    SELECT
        crawl,
        body_id,
        set_no,
        set_token,
        pattern,
        -- A pattern without a slash at its start matches no path.
        CASE WHEN starts_with(pattern, '/') THEN 1 ELSE 0 END AS can_match,
        CASE WHEN strpos(pattern, '*') > 0 OR right(pattern, 1) = '$' THEN 1 ELSE 0 END AS is_special,
        max(CASE WHEN allow THEN 1 ELSE 0 END) AS is_allowed,
        coalesce(min(CASE WHEN allow THEN line_no END), min(line_no)) AS line_no
    FROM rule_sets
    GROUP BY crawl, body_id, set_no, set_token, pattern
),
set_verdicts AS (
    SELECT
        crawl,
        body_id,
        set_no,
        set_token,
        max(is_special) AS is_special,
        max(CASE WHEN pattern = '/' THEN 1 - is_allowed ELSE 0 END) AS root_refused,
        max(CASE WHEN pattern = '/' THEN line_no END) AS deciding_line,
        max(can_match * is_allowed) AS some_allowed,
        max(can_match * (1 - is_allowed)) AS some_refused
    FROM set_patterns
    GROUP BY crawl, body_id, set_no, set_token
),
policy_sets AS (
    SELECT DISTINCT
        crawl,
        body_id,
        token,
        CASE WHEN is_several THEN -1 ELSE group_no END AS set_no,
        CASE WHEN is_several THEN token ELSE '' END AS set_token
    FROM judged_groups
),
expected_verdicts AS (
    SELECT
        p.crawl,
        p.body_id,
        p.token,
        coalesce(s.root_refused, 0) = 0 AS root_allowed,
        s.deciding_line,
        CASE
            WHEN coalesce(s.some_refused, 0) = 0 THEN 'all'
            WHEN s.root_refused = 1 AND s.some_allowed = 0 THEN 'none'
            ELSE 'part'
        END AS access
    FROM policy_sets AS p
    LEFT JOIN set_verdicts AS s
        ON s.crawl = p.crawl AND s.body_id = p.body_id AND s.set_no = p.set_no AND s.set_token = p.set_token
    WHERE coalesce(s.is_special, 0) = 0
)
SELECT
    p.crawl,
    p.body_id,
    p.token,
    p.root_allowed AS root_allowed_said,
    e.root_allowed AS root_allowed_found,
    p.access AS access_said,
    e.access AS access_found,
    p.deciding_line AS deciding_line_said,
    e.deciding_line AS deciding_line_found
FROM policies AS p
JOIN expected_verdicts AS e ON e.crawl = p.crawl AND e.body_id = p.body_id AND e.token = p.token
WHERE p.root_allowed <> e.root_allowed
    OR p.access <> e.access
    OR (p.deciding_line IS DISTINCT FROM e.deciding_line)
ORDER BY p.crawl, p.body_id, p.token
