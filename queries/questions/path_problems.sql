-- title: Paths with problems
-- id: C07
-- question: What share of sites has rules whose path cannot match, is invalid, or is read differently by parsers?
-- grain: one row per crawl, stratum, tier and code; the code several-paths is path-space with a slash or * after a blank
-- reads: strata, stratum_contents, bodies, violations, rules
-- parameter: denominator = read
-- column: tier: A (the grammar does not allow it) or C (a remark)
-- column: code: the name of the violation, from docs/violations.md; several-paths is a part of path-space
-- column: severity: error, warning or info
-- column: effect: what the violation did to the rule: none, kept by tolerance, lost
-- column: rules: rules with the violation, in distinct files
-- column: rules_counted: allow and disallow lines of the distinct files of the counted sites, which is the denominator
-- column: share_of_rules: rules divided by rules_counted
-- column: sites: sites whose file has such a rule
-- caveat: Only violations whose names start with path- count. An allow line without a path (allow-empty) is none of them.
-- caveat: docs/violations.md has the meaning of each code and its effect on the rule. A path has at most one code of tier A, and any number of tier C.
WITH rule_totals AS (
    SELECT s.crawl, s.stratum, s.sites_counted, sum(b.rule_count) AS rules_counted
    FROM strata AS s
    JOIN stratum_contents AS c ON c.crawl = s.crawl AND c.stratum = s.stratum
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    GROUP BY s.crawl, s.stratum, s.sites_counted
),
path_violations AS (
    SELECT v.crawl, c.stratum, v.body_id, v.tier, v.code, v.severity, v.effect, c.weight AS sites, count(*) AS rules
    FROM violations AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE starts_with(v.code, 'path-')
    GROUP BY v.crawl, c.stratum, v.body_id, v.tier, v.code, v.severity, v.effect, c.weight
    UNION ALL
    SELECT v.crawl, c.stratum, v.body_id, v.tier, 'several-paths', v.severity, v.effect, c.weight AS sites, count(*) AS rules
    FROM violations AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    JOIN rules AS r ON r.crawl = v.crawl AND r.body_id = v.body_id AND r.line_no = v.line_no
    WHERE v.code = 'path-space' AND (r.pattern LIKE '% /%' OR r.pattern LIKE '% *%')
    GROUP BY v.crawl, c.stratum, v.body_id, v.tier, v.severity, v.effect, c.weight
)
SELECT
    p.crawl,
    p.stratum,
    p.tier,
    p.code,
    p.severity,
    p.effect,
    sum(p.rules) AS rules,
    r.rules_counted,
    CAST(sum(p.rules) AS double) / nullif(r.rules_counted, 0) AS share_of_rules,
    count(*) AS bodies,
    sum(p.sites) AS sites,
    r.sites_counted,
    CAST(sum(p.sites) AS double) / nullif(r.sites_counted, 0) AS share
FROM path_violations AS p
JOIN rule_totals AS r ON r.crawl = p.crawl AND r.stratum = p.stratum
GROUP BY p.crawl, p.stratum, p.tier, p.code, p.severity, p.effect, r.rules_counted, r.sites_counted
ORDER BY p.crawl, p.stratum, p.tier, sum(p.sites) DESC, p.code, p.effect
