-- title: Rules without effect
-- id: C11
-- question: What share of rules changes no verdict by RFC 9309, and why?
-- grain: one row per crawl, stratum and kind of rule without effect; the kind any is all kinds together
-- reads: stratum_contents, bodies, rules
-- parameter: denominator = read: which sites are counted, as in population; sites without a rule in a group have nothing to count and are not in sites_counted
-- column: kind: why without effect: any, pattern-empty, pattern-never-matches, repeated, loses-tie, disallow-covered, allow-covered, allow-needless
-- column: rules: rules without effect of this kind, in distinct files
-- column: rules_counted: rules of groups in the distinct files of the counted sites, which is the denominator
-- column: share_of_rules: rules divided by rules_counted
-- column: sites: sites whose file has such a rule
-- column: sites_counted: counted sites whose file has a rule in a group, which is the denominator
-- caveat: A rule counts once, as the first kind that applies, and only if it certainly has no effect. pattern-empty: a line without a path. pattern-never-matches: a path that starts with neither a slash nor *. repeated: the same line again in its group. loses-tie: a disallow line whose path its group also allows; that allow line has an effect. disallow-covered: below a shorter disallow line of its group, with no allow line between. allow-covered: the same for allow lines. allow-needless: an allow line with no disallow line above it, such as Allow: / where / is not disallowed.
-- caveat: The covered and needless kinds consider plain paths only, without * and final $. A rule does not count if its group has an opposite rule with * whose length could come between. These kinds are lower bounds.
-- caveat: An empty Disallow line says that all paths are allowed, which they are without it.
-- caveat: If all rules of a group are such rules and another group follows, one of them does not count: without it, the crawlers of both groups would have the same rules.
-- caveat: RFC 9309 section 2.2.1 combines several groups of one agent. A rule that is needless in its own group may matter in the combination, so the covered and needless kinds omit these groups.
-- caveat: Rules without effect by RFC 9309 may have one in parsers that take the first match instead of the longest.
-- caveat: Rules of distinct bodies are counted. Rules before the first user-agent line are omitted.
WITH rule_sets AS (
    SELECT c.crawl, c.stratum, min(c.body_id) AS body_id, count(*) AS bodies, sum(c.weight) AS sites
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    WHERE b.rule_count > 0
    GROUP BY c.crawl, c.stratum, b.ruleset_digest
),
rules_by_reason AS (
    SELECT crawl, body_id, no_effect, count(*) AS rules
    FROM rules
    WHERE group_no IS NOT NULL
    GROUP BY crawl, body_id, no_effect
),
body_rules AS (
    SELECT s.crawl, s.stratum, s.body_id, s.bodies, s.sites, r.no_effect, r.rules
    FROM rule_sets AS s
    JOIN rules_by_reason AS r ON r.crawl = s.crawl AND r.body_id = s.body_id
),
body_totals AS (
    SELECT crawl, stratum, bodies, sites, sum(rules) AS all_rules, sum(CASE WHEN no_effect IS NULL THEN 0 ELSE rules END) AS rules
    FROM body_rules
    GROUP BY crawl, stratum, body_id, bodies, sites
),
crawl_rules AS (
    SELECT crawl, stratum, sum(all_rules * bodies) AS rules_counted, sum(sites) AS sites_counted
    FROM body_totals
    GROUP BY crawl, stratum
),
kind_totals AS (
    SELECT crawl, stratum, no_effect AS kind, sum(rules * bodies) AS rules, sum(bodies) AS bodies, sum(sites) AS sites
    FROM body_rules
    WHERE no_effect IS NOT NULL
    GROUP BY crawl, stratum, no_effect
    UNION ALL
    SELECT crawl, stratum, 'any' AS kind, sum(rules * bodies) AS rules, sum(bodies) AS bodies, sum(sites) AS sites
    FROM body_totals
    WHERE rules > 0
    GROUP BY crawl, stratum
),
kind_rows AS (
    SELECT c.crawl, c.stratum, k.kind, coalesce(t.rules, 0) AS rules, c.rules_counted, coalesce(t.bodies, 0) AS bodies, coalesce(t.sites, 0) AS sites, c.sites_counted
    FROM crawl_rules AS c
    CROSS JOIN (VALUES
        ('any'), ('pattern-empty'), ('pattern-never-matches'), ('repeated'), ('loses-tie'),
        ('disallow-covered'), ('allow-covered'), ('allow-needless')
    ) AS k (kind)
    LEFT JOIN kind_totals AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.kind = k.kind
)
SELECT
    crawl,
    stratum,
    kind,
    rules,
    rules_counted,
    CAST(rules AS double) / nullif(rules_counted, 0) AS share_of_rules,
    bodies,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM kind_rows
ORDER BY crawl, stratum, CASE WHEN kind = 'any' THEN 0 ELSE 1 END, rules DESC, kind
