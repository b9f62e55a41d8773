-- title: Violations of the grammar, by tier and code
-- id: C01
-- question: What share of the robots.txt files that were read violates the grammar of RFC 9309, and how?
-- grain: one row per crawl, stratum, tier and code; the code any is for all codes of a tier, and the tier none for files that conform
-- reads: stratum_totals, stratum_contents, bodies, violations
-- parameter: denominator = read
-- column: tier: A (the grammar does not allow it), B (another record), C (a remark), none (the file conforms)
-- column: code: the name of the violation, from docs/violations.md; any for all codes of the tier; conforms in the tier none
-- column: severity: error, warning or info; null for the codes any and conforms
-- column: occurrences: how often the violation occurs in distinct files; 0 for the code conforms
-- column: bodies: distinct files that have the violation, or that conform
-- column: bodies_counted: distinct files of the counted sites, which is the denominator
-- column: share_of_bodies: bodies divided by bodies_counted
-- column: sites: sites whose file has the violation, or conforms
-- caveat: A file conforms if the ABNF derives all of it. The ABNF derives neither a Sitemap line nor a last line without a line end. Tier A violates the grammar. Tier B is other records, which the standard permits. Tier C is remarks.
-- caveat: There is no row for a code that no file has.
-- caveat: Pages that are not robots.txt count as files here. Without a user-agent line or rule, they only have codes for the whole file, such as file-html or file-binary. Archives that keep text answers only (Common Crawl since 2021 to 2023) have fewer of them.
WITH body_violations AS (
    SELECT v.crawl, c.stratum, v.body_id, v.tier, v.code, v.severity, c.weight AS sites, count(*) AS occurrences
    FROM stratum_contents AS c
    JOIN violations AS v ON v.crawl = c.crawl AND v.body_id = c.body_id
    GROUP BY v.crawl, c.stratum, v.body_id, v.tier, v.code, v.severity, c.weight
),
body_tiers AS (
    SELECT b.crawl, c.stratum, b.violations_tier_a, b.violations_tier_b, b.violations_tier_c, b.conforms, c.weight AS sites
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
),
code_totals AS (
    SELECT crawl, stratum, tier, code, severity, count(*) AS bodies, sum(sites) AS sites, sum(occurrences) AS occurrences
    FROM body_violations
    GROUP BY crawl, stratum, tier, code, severity
    UNION ALL
    SELECT crawl, stratum, 'A', 'any', NULL, count(*), sum(sites), sum(violations_tier_a)
    FROM body_tiers WHERE violations_tier_a > 0 GROUP BY crawl, stratum
    UNION ALL
    SELECT crawl, stratum, 'B', 'any', NULL, count(*), sum(sites), sum(violations_tier_b)
    FROM body_tiers WHERE violations_tier_b > 0 GROUP BY crawl, stratum
    UNION ALL
    SELECT crawl, stratum, 'C', 'any', NULL, count(*), sum(sites), sum(violations_tier_c)
    FROM body_tiers WHERE violations_tier_c > 0 GROUP BY crawl, stratum
    UNION ALL
    SELECT crawl, stratum, 'none', 'conforms', NULL, count(*), sum(sites), 0
    FROM body_tiers WHERE conforms GROUP BY crawl, stratum
)
SELECT
    c.crawl,
    c.stratum,
    c.tier,
    c.code,
    c.severity,
    c.occurrences,
    c.bodies,
    t.bodies_counted,
    CAST(c.bodies AS double) / nullif(t.bodies_counted, 0) AS share_of_bodies,
    c.sites,
    t.sites_counted,
    CAST(c.sites AS double) / nullif(t.sites_counted, 0) AS share
FROM code_totals AS c
JOIN stratum_totals AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
ORDER BY c.crawl, c.stratum, c.tier, CASE WHEN c.code = 'any' THEN 0 ELSE 1 END, c.sites DESC, c.code, c.severity
