-- title: Bodies whose counts differ from their rows
-- grain: one row per crawl, body and count that differs
-- reads: bodies, groups, rules, records, violations
WITH group_totals AS (
    SELECT crawl, body_id, count(DISTINCT group_no) AS heads, max(group_no) + 1 AS numbered
    FROM groups
    GROUP BY crawl, body_id
),
rule_totals AS (
    SELECT
        crawl,
        body_id,
        count(*) AS rules,
        sum(CASE WHEN allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN beyond_500_kib THEN 1 ELSE 0 END) AS beyond
    FROM rules
    GROUP BY crawl, body_id
),
record_totals AS (
    SELECT
        crawl,
        body_id,
        sum(CASE WHEN record = 'sitemap' THEN 1 ELSE 0 END) AS sitemaps
    FROM records
    GROUP BY crawl, body_id
),
violation_totals AS (
    SELECT
        crawl,
        body_id,
        sum(CASE WHEN tier = 'A' THEN 1 ELSE 0 END) AS tier_a,
        sum(CASE WHEN tier = 'B' THEN 1 ELSE 0 END) AS tier_b,
        sum(CASE WHEN tier = 'C' THEN 1 ELSE 0 END) AS tier_c
    FROM violations
    GROUP BY crawl, body_id
),
compared_counts AS (
    SELECT
        b.crawl, b.body_id, b.conforms,
        b.group_count, b.allow_count, b.disallow_count, b.rules_beyond_500_kib, b.sitemap_count,
        b.violations_tier_a, b.violations_tier_b, b.violations_tier_c,
        coalesce(g.heads, 0) AS heads,
        coalesce(g.numbered, 0) AS numbered,
        coalesce(r.allows, 0) AS allows,
        coalesce(r.rules, 0) - coalesce(r.allows, 0) AS disallows,
        coalesce(r.beyond, 0) AS beyond,
        coalesce(t.sitemaps, 0) AS sitemaps,
        coalesce(v.tier_a, 0) AS tier_a,
        coalesce(v.tier_b, 0) AS tier_b,
        coalesce(v.tier_c, 0) AS tier_c
    FROM bodies AS b
    LEFT JOIN group_totals AS g ON g.crawl = b.crawl AND g.body_id = b.body_id
    LEFT JOIN rule_totals AS r ON r.crawl = b.crawl AND r.body_id = b.body_id
    LEFT JOIN record_totals AS t ON t.crawl = b.crawl AND t.body_id = b.body_id
    LEFT JOIN violation_totals AS v ON v.crawl = b.crawl AND v.body_id = b.body_id
),
differences AS (
    SELECT crawl, body_id, 'group_count' AS counted, group_count AS stored, heads AS found
    FROM compared_counts WHERE group_count <> heads
    UNION ALL
    SELECT crawl, body_id, 'group_no' AS counted, group_count AS stored, numbered AS found
    FROM compared_counts WHERE group_count <> numbered
    UNION ALL
    SELECT crawl, body_id, 'allow_count' AS counted, allow_count AS stored, allows AS found
    FROM compared_counts WHERE allow_count <> allows
    UNION ALL
    SELECT crawl, body_id, 'disallow_count' AS counted, disallow_count AS stored, disallows AS found
    FROM compared_counts WHERE disallow_count <> disallows
    UNION ALL
    SELECT crawl, body_id, 'rules_beyond_500_kib' AS counted, rules_beyond_500_kib AS stored, beyond AS found
    FROM compared_counts WHERE rules_beyond_500_kib <> beyond
    UNION ALL
    SELECT crawl, body_id, 'sitemap_count' AS counted, sitemap_count AS stored, sitemaps AS found
    FROM compared_counts WHERE sitemap_count <> sitemaps
    UNION ALL
    SELECT crawl, body_id, 'violations_tier_a' AS counted, violations_tier_a AS stored, tier_a AS found
    FROM compared_counts WHERE violations_tier_a <> tier_a
    UNION ALL
    SELECT crawl, body_id, 'violations_tier_b' AS counted, violations_tier_b AS stored, tier_b AS found
    FROM compared_counts WHERE violations_tier_b <> tier_b
    UNION ALL
    SELECT crawl, body_id, 'violations_tier_c' AS counted, violations_tier_c AS stored, tier_c AS found
    FROM compared_counts WHERE violations_tier_c <> tier_c
    UNION ALL
    SELECT crawl, body_id, 'conforms' AS counted, 1 AS stored, tier_a + tier_b AS found
    FROM compared_counts WHERE conforms AND tier_a + tier_b > 0
)
SELECT crawl, body_id, counted, stored, found
FROM differences
ORDER BY crawl, body_id, counted
