-- title: Rules without effect
-- id: C11
-- question: What share of rules changes no verdict by RFC 9309, and why?
-- grain: one row per crawl and kind of rule without effect; the kind any is all of them
-- reads: contents, bodies, rules
-- caveat: Each rule counts once, as the first kind that applies; only certain cases count. pattern-empty: a line without a path. pattern-never-matches: a path that starts with neither a slash nor *. repeated: the same line again in its group. loses-tie: a disallow line whose path its group also allows. disallow-covered: below a shorter disallow line of its group, with no allow line between. allow-covered: the same for allow lines. allow-needless: an allow line with no disallow line above it, such as Allow: / where / is not disallowed.
-- caveat: The covered and needless kinds consider plain paths only, without * and final $. A rule does not count if its group has an opposite rule with * whose length could come between. These kinds are lower bounds.
-- caveat: An empty Disallow line is a way to say that all is allowed. It has no effect.
-- caveat: RFC 9309 section 2.2.1 combines several groups of one agent. A needless rule of one group may matter beside another, so the covered and needless kinds omit these groups.
-- caveat: Such rules mislead parsers that take the first match instead of the longest.
-- caveat: Rules are those of distinct bodies. Rules before the first user-agent line are omitted.
WITH rule_sets AS (
    SELECT c.crawl, min(c.body_id) AS body_id, count(*) AS bodies, sum(c.sites) AS sites
    FROM contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    WHERE b.rule_count > 0
    GROUP BY c.crawl, b.ruleset_digest
),
rules_by_reason AS (
    SELECT s.crawl, s.body_id, s.bodies, s.sites, r.no_effect, count(*) AS rules
    FROM rule_sets AS s
    JOIN rules AS r ON r.crawl = s.crawl AND r.body_id = s.body_id
    WHERE r.group_no IS NOT NULL
    GROUP BY s.crawl, s.body_id, s.bodies, s.sites, r.no_effect
),
rules_by_kind AS (
    SELECT
        r.crawl,
        k.kind,
        r.bodies,
        r.sites,
        sum(CASE WHEN r.no_effect = k.kind OR r.no_effect IS NOT NULL AND k.kind = 'any' THEN r.rules ELSE 0 END) AS rules,
        sum(r.rules) AS all_rules
    FROM rules_by_reason AS r
    CROSS JOIN (VALUES
        ('any'), ('pattern-empty'), ('pattern-never-matches'), ('repeated'), ('loses-tie'),
        ('disallow-covered'), ('allow-covered'), ('allow-needless')
    ) AS k (kind)
    GROUP BY r.crawl, r.body_id, r.bodies, r.sites, k.kind
)
SELECT
    crawl,
    kind,
    sum(rules * bodies) AS rules,
    sum(all_rules * bodies) AS rules_counted,
    CAST(sum(rules * bodies) AS double) / sum(all_rules * bodies) AS share_of_rules,
    sum(CASE WHEN rules > 0 THEN bodies ELSE 0 END) AS bodies,
    sum(CASE WHEN rules > 0 THEN sites ELSE 0 END) AS sites,
    sum(sites) AS sites_counted,
    CAST(sum(CASE WHEN rules > 0 THEN sites ELSE 0 END) AS double) / sum(sites) AS share
FROM rules_by_kind
GROUP BY crawl, kind
ORDER BY crawl, CASE WHEN kind = 'any' THEN 0 ELSE 1 END, rules DESC, kind
