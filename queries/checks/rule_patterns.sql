-- title: Rules whose pattern differs from its description
-- grain: one row per crawl, body and rule
-- reads: rules
WITH normal_patterns AS (
    SELECT
        crawl,
        body_id,
        rule_no,
        pattern,
        pattern_normal,
        octets,
        wildcards,
        anchored,
        matches_root,
        coalesce(pattern_normal, pattern) AS normal
    FROM rules
)
SELECT crawl, body_id, rule_no, octets, wildcards, anchored, matches_root, normal
FROM normal_patterns
WHERE 8 * octets <> bit_length(normal)
    OR wildcards <> length(normal) - length(replace(normal, '*', ''))
    OR anchored <> (right(normal, 1) = '$')
    OR matches_root <> robots_matches(normal, '/')
    OR pattern = pattern_normal
ORDER BY crawl, body_id, rule_no
