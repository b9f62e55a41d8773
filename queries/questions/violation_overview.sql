-- title: Departures from the grammar, by tier and kind
-- id: C01
-- question: Which share of the robots.txt files that were read departs from the grammar of RFC 9309, and how?
-- grain: one row per crawl, tier and code; the code any stands for all of a tier, and the tier none for what conforms to the letter
-- reads: crawl_totals, contents, bodies, violations
-- caveat: a file conforms if all of it can be derived from the ABNF to the letter, which neither a Sitemap line nor a last line without an end can be; tier A is what breaks the grammar, tier B are other records, which the standard permits, and tier C are remarks
-- caveat: a code that no file has is no row
-- caveat: pages that are no robots.txt are files here and have the codes of the whole file alone, file-html or file-binary among them; archives that keep text answers alone (Common Crawl since 2021 to 2023) have fewer of them
WITH body_violations AS (
    SELECT v.crawl, v.body_id, v.tier, v.code, v.severity, c.sites, count(*) AS occurrences
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    GROUP BY v.crawl, v.body_id, v.tier, v.code, v.severity, c.sites
),
body_tiers AS (
    SELECT b.crawl, b.violations_tier_a, b.violations_tier_b, b.violations_tier_c, b.conforms, c.sites
    FROM bodies AS b
    JOIN contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
),
code_totals AS (
    SELECT crawl, tier, code, severity, count(*) AS bodies, sum(sites) AS sites, sum(occurrences) AS occurrences
    FROM body_violations
    GROUP BY crawl, tier, code, severity
    UNION ALL
    SELECT crawl, 'A', 'any', NULL, count(*), sum(sites), sum(violations_tier_a)
    FROM body_tiers WHERE violations_tier_a > 0 GROUP BY crawl
    UNION ALL
    SELECT crawl, 'B', 'any', NULL, count(*), sum(sites), sum(violations_tier_b)
    FROM body_tiers WHERE violations_tier_b > 0 GROUP BY crawl
    UNION ALL
    SELECT crawl, 'C', 'any', NULL, count(*), sum(sites), sum(violations_tier_c)
    FROM body_tiers WHERE violations_tier_c > 0 GROUP BY crawl
    UNION ALL
    SELECT crawl, 'none', 'conforms', NULL, count(*), sum(sites), 0
    FROM body_tiers WHERE conforms GROUP BY crawl
)
SELECT
    c.crawl,
    c.tier,
    c.code,
    c.severity,
    c.occurrences,
    c.bodies,
    t.bodies_counted,
    CAST(c.bodies AS double) / t.bodies_counted AS share_of_bodies,
    c.sites,
    t.sites_counted,
    CAST(c.sites AS double) / t.sites_counted AS share
FROM code_totals AS c
JOIN crawl_totals AS t ON t.crawl = c.crawl
ORDER BY c.crawl, c.tier, CASE WHEN c.code = 'any' THEN 0 ELSE 1 END, c.sites DESC, c.code, c.severity
