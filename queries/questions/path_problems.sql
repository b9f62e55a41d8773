-- title: Paths that are not what they seem
-- id: C07
-- question: Which share of sites has rules whose path cannot match, is not in the grammar, or is read differently by parsers?
-- grain: one row per crawl, tier and code of a path; the code several-paths is those of path-space in which a slash or a star follows a blank
-- reads: contents, bodies, violations, rules
-- caveat: docs/violations.md tells what each code means and what becomes of the rule; a path has one code of tier A at most and any number of tier C
WITH counted AS (
    SELECT c.crawl, sum(c.sites) AS sites_counted, sum(b.rule_count) AS rules_counted
    FROM contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    GROUP BY c.crawl
),
odd AS (
    SELECT v.crawl, v.body_id, v.tier, v.code, v.severity, v.effect, c.sites, count(*) AS rules
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE starts_with(v.code, 'path-')
    GROUP BY v.crawl, v.body_id, v.tier, v.code, v.severity, v.effect, c.sites
    UNION ALL
    SELECT v.crawl, v.body_id, v.tier, 'several-paths', v.severity, v.effect, c.sites, count(*) AS rules
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    JOIN rules AS r ON r.crawl = v.crawl AND r.body_id = v.body_id AND r.line_no = v.line_no
    WHERE v.code = 'path-space' AND (r.pattern LIKE '% /%' OR r.pattern LIKE '% *%')
    GROUP BY v.crawl, v.body_id, v.tier, v.severity, v.effect, c.sites
)
SELECT
    o.crawl,
    o.tier,
    o.code,
    o.severity,
    o.effect,
    sum(o.rules) AS rules,
    n.rules_counted,
    CAST(sum(o.rules) AS double) / nullif(n.rules_counted, 0) AS share_of_rules,
    count(*) AS bodies,
    sum(o.sites) AS sites,
    n.sites_counted,
    CAST(sum(o.sites) AS double) / n.sites_counted AS share
FROM odd AS o
JOIN counted AS n ON n.crawl = o.crawl
GROUP BY o.crawl, o.tier, o.code, o.severity, o.effect, n.rules_counted, n.sites_counted
ORDER BY o.crawl, o.tier, sites DESC, o.code, o.effect
