-- title: Policies that say otherwise than their rules
-- grain: one row per crawl, body and token whose policy differs
-- reads: policies, groups, rules
-- caveat: policies are compared whose patterns have no star and no dollar sign at their end; a pattern then is the longest that matches its own path, and only / matches /, so that no paths have to be compared
WITH headed AS (
    SELECT DISTINCT
        crawl,
        body_id,
        group_no,
        token,
        substr(token, 1, length(token) - length(ltrim(token, 'abcdefghijklmnopqrstuvwxyz_-'))) AS product
    FROM groups
    WHERE agent <> ''
),
held AS (
    SELECT crawl, body_id, group_no, token FROM headed
    UNION
    SELECT crawl, body_id, group_no, product AS token FROM headed WHERE product <> ''
),
several AS (
    SELECT crawl, body_id, token
    FROM held
    GROUP BY crawl, body_id, token
    HAVING count(*) > 1
),
-- Most tokens have one group, which is judged once for all of them; others have several, which are judged together.
judged AS (
    SELECT h.crawl, h.body_id, h.token, h.group_no, s.token IS NOT NULL AS is_several
    FROM held AS h
    LEFT JOIN several AS s ON s.crawl = h.crawl AND s.body_id = h.body_id AND s.token = h.token
),
written AS (
    SELECT crawl, body_id, group_no, line_no, allow, coalesce(pattern_normal, pattern) AS pattern
    FROM rules
    WHERE group_no IS NOT NULL
),
sets AS (
    SELECT crawl, body_id, group_no AS set_no, '' AS set_token, line_no, allow, pattern
    FROM written
    UNION ALL
    SELECT w.crawl, w.body_id, -1 AS set_no, j.token AS set_token, w.line_no, w.allow, w.pattern
    FROM judged AS j
    JOIN written AS w ON w.crawl = j.crawl AND w.body_id = j.body_id AND w.group_no = j.group_no
    WHERE j.is_several
),
of_patterns AS (
    SELECT
        crawl,
        body_id,
        set_no,
        set_token,
        pattern,
        -- A pattern that begins otherwise matches no path.
        CASE WHEN starts_with(pattern, '/') THEN 1 ELSE 0 END AS can_match,
        CASE WHEN strpos(pattern, '*') > 0 OR right(pattern, 1) = '$' THEN 1 ELSE 0 END AS is_special,
        max(CASE WHEN allow THEN 1 ELSE 0 END) AS is_allowed,
        coalesce(min(CASE WHEN allow THEN line_no END), min(line_no)) AS line_no
    FROM sets
    GROUP BY crawl, body_id, set_no, set_token, pattern
),
of_sets AS (
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
    FROM of_patterns
    GROUP BY crawl, body_id, set_no, set_token
),
held_sets AS (
    SELECT DISTINCT
        crawl,
        body_id,
        token,
        CASE WHEN is_several THEN -1 ELSE group_no END AS set_no,
        CASE WHEN is_several THEN token ELSE '' END AS set_token
    FROM judged
),
found AS (
    SELECT
        h.crawl,
        h.body_id,
        h.token,
        coalesce(s.root_refused, 0) = 0 AS root_allowed,
        s.deciding_line,
        CASE
            WHEN coalesce(s.some_refused, 0) = 0 THEN 'all'
            WHEN s.root_refused = 1 AND s.some_allowed = 0 THEN 'none'
            ELSE 'part'
        END AS access
    FROM held_sets AS h
    LEFT JOIN of_sets AS s
        ON s.crawl = h.crawl AND s.body_id = h.body_id AND s.set_no = h.set_no AND s.set_token = h.set_token
    WHERE coalesce(s.is_special, 0) = 0
)
SELECT
    p.crawl,
    p.body_id,
    p.token,
    p.root_allowed AS root_allowed_said,
    f.root_allowed AS root_allowed_found,
    p.access AS access_said,
    f.access AS access_found,
    p.deciding_line AS deciding_line_said,
    f.deciding_line AS deciding_line_found
FROM policies AS p
JOIN found AS f ON f.crawl = p.crawl AND f.body_id = p.body_id AND f.token = p.token
WHERE p.root_allowed <> f.root_allowed
    OR p.access <> f.access
    OR (p.deciding_line IS DISTINCT FROM f.deciding_line)
ORDER BY p.crawl, p.body_id, p.token
