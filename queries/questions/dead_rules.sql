-- title: Rules without effect
-- id: C11
-- question: What share of rules changes no verdict by RFC 9309, and why?
-- grain: one row per crawl and kind of rule without effect; the kind any is all of them
-- reads: contents, bodies, rules, groups, policies
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
patterns AS (
    SELECT
        r.crawl,
        r.body_id,
        r.group_no,
        coalesce(r.pattern_normal, r.pattern) AS pattern,
        max(CAST(r.octets AS bigint)) AS octets,
        max(r.wildcards) AS stars,
        max(CASE WHEN r.anchored THEN 1 ELSE 0 END) AS anchors,
        sum(CASE WHEN r.allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN r.allow THEN 0 ELSE 1 END) AS disallows
    FROM rules AS r
    JOIN rule_sets AS s ON s.crawl = r.crawl AND s.body_id = r.body_id
    WHERE r.group_no IS NOT NULL
    GROUP BY r.crawl, r.body_id, r.group_no, coalesce(r.pattern_normal, r.pattern)
),
single_dead_rules AS (
    SELECT
        crawl,
        body_id,
        sum(allows + disallows) AS all_rules,
        sum(CASE WHEN octets = 0 THEN allows + disallows ELSE 0 END) AS pattern_empty,
        sum(CASE WHEN octets > 0 AND substr(pattern, 1, 1) NOT IN ('/', '*') THEN allows + disallows ELSE 0 END) AS never_matches,
        sum(CASE WHEN substr(pattern, 1, 1) IN ('/', '*')
            THEN allows + disallows - least(allows, 1) - least(disallows, 1) ELSE 0 END) AS repeated,
        sum(CASE WHEN substr(pattern, 1, 1) IN ('/', '*') THEN least(allows, disallows, 1) ELSE 0 END) AS loses_tie
    FROM patterns
    GROUP BY crawl, body_id
),
-- Sorted by text, the paths below a path follow it, up to that path with the last character of Unicode appended. A path
-- opens at itself and closes there; the open paths are above it. No path is open at the end of a group, so that one count
-- runs through the groups of many bodies. A window for each group costs twice as much.
pattern_edges AS (
    SELECT
        p.crawl,
        p.body_id,
        p.group_no,
        p.octets,
        p.allows > 0 AS allow,
        e.step,
        CASE WHEN e.step = 1 THEN p.pattern ELSE p.pattern || chr(1114111) END AS edge
    FROM (VALUES (1), (-1)) AS e (step)
    CROSS JOIN patterns AS p
    WHERE p.stars = 0 AND p.anchors = 0 AND substr(p.pattern, 1, 1) = '/'
),
edge_depths AS (
    SELECT
        *,
        sum(step) OVER (
            PARTITION BY crawl, body_id % 64 ORDER BY body_id, group_no, edge ROWS UNBOUNDED PRECEDING
        ) AS depth,
        CAST(row_number() OVER (
            PARTITION BY crawl, body_id % 64 ORDER BY body_id, group_no, edge ROWS UNBOUNDED PRECEDING
        ) AS bigint) AS place
    FROM pattern_edges
),
-- The next path above a path is the last one before it with one less depth. Only the topmost path of a group has none.
-- One number holds what is needed of it, and grows with its place: place, octets (below 2 to the power of 26), verb.
pattern_levels AS (
    SELECT
        e.crawl,
        e.body_id,
        e.group_no,
        e.allow,
        e.octets,
        e.place,
        t.is_above,
        e.depth + CASE WHEN t.is_above THEN 1 ELSE 0 END AS level,
        CASE WHEN t.is_above THEN (e.place * 67108864 + e.octets) * 2 + CASE WHEN e.allow THEN 1 ELSE 0 END END AS above
    FROM (VALUES (true), (false)) AS t (is_above)
    CROSS JOIN edge_depths AS e
    WHERE e.step = 1
),
nested_patterns AS (
    SELECT
        *,
        max(above) OVER (
            PARTITION BY crawl, body_id % 64, level ORDER BY place ROWS UNBOUNDED PRECEDING
        ) AS next_above
    FROM pattern_levels
),
covered_patterns AS (
    SELECT
        crawl,
        body_id,
        group_no,
        allow,
        octets,
        -- A path without a matching rule is allowed.
        coalesce(next_above % 2 = 1, true) AS above_allows,
        next_above IS NULL AS is_top,
        coalesce((next_above % 134217728 - next_above % 2) / 2, 0) AS above_octets
    FROM nested_patterns
    WHERE NOT is_above
),
star_patterns AS (
    SELECT
        crawl,
        body_id,
        group_no,
        min(CASE WHEN allows > 0 THEN octets END) AS least_allow,
        max(CASE WHEN allows > 0 THEN octets END) AS most_allow,
        min(CASE WHEN allows = 0 THEN octets END) AS least_disallow,
        max(CASE WHEN allows = 0 THEN octets END) AS most_disallow
    FROM patterns
    WHERE stars > 0 AND substr(pattern, 1, 1) IN ('/', '*')
    GROUP BY crawl, body_id, group_no
),
-- Groups that are combined with another group of the same agent.
combined_groups AS (
    SELECT DISTINCT g.crawl, g.body_id, g.group_no
    FROM policies AS p
    JOIN groups AS g ON g.crawl = p.crawl AND g.body_id = p.body_id AND g.token = p.token
    WHERE p.merged_groups > 1
),
needless_rules AS (
    SELECT
        c.crawl,
        c.body_id,
        sum(CASE WHEN c.allow THEN 0 ELSE 1 END) AS disallow_covered,
        sum(CASE WHEN c.allow AND NOT c.is_top THEN 1 ELSE 0 END) AS allow_covered,
        sum(CASE WHEN c.allow AND c.is_top THEN 1 ELSE 0 END) AS allow_needless
    FROM covered_patterns AS c
    LEFT JOIN star_patterns AS s ON s.crawl = c.crawl AND s.body_id = c.body_id AND s.group_no = c.group_no
    LEFT JOIN combined_groups AS g ON g.crawl = c.crawl AND g.body_id = c.body_id AND g.group_no = c.group_no
    WHERE g.group_no IS NULL
        AND c.allow = c.above_allows
        AND NOT (
            c.allow AND coalesce(s.least_disallow <= c.octets AND s.most_disallow > c.above_octets, false)
            OR NOT c.allow AND coalesce(s.least_allow < c.octets AND s.most_allow >= c.above_octets, false)
        )
    GROUP BY c.crawl, c.body_id
),
dead_rules AS (
    SELECT
        s.*,
        coalesce(n.disallow_covered, 0) AS disallow_covered,
        coalesce(n.allow_covered, 0) AS allow_covered,
        coalesce(n.allow_needless, 0) AS allow_needless,
        r.bodies,
        r.sites
    FROM single_dead_rules AS s
    JOIN rule_sets AS r ON r.crawl = s.crawl AND r.body_id = s.body_id
    LEFT JOIN needless_rules AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
),
rules_by_kind AS (
    SELECT
        d.crawl,
        k.kind,
        CASE k.kind
            WHEN 'pattern-empty' THEN d.pattern_empty
            WHEN 'pattern-never-matches' THEN d.never_matches
            WHEN 'repeated' THEN d.repeated
            WHEN 'loses-tie' THEN d.loses_tie
            WHEN 'disallow-covered' THEN d.disallow_covered
            WHEN 'allow-covered' THEN d.allow_covered
            WHEN 'allow-needless' THEN d.allow_needless
            ELSE d.pattern_empty + d.never_matches + d.repeated + d.loses_tie
                + d.disallow_covered + d.allow_covered + d.allow_needless
        END AS rules,
        d.all_rules,
        d.bodies,
        d.sites
    FROM dead_rules AS d
    CROSS JOIN (VALUES
        ('any'), ('pattern-empty'), ('pattern-never-matches'), ('repeated'), ('loses-tie'),
        ('disallow-covered'), ('allow-covered'), ('allow-needless')
    ) AS k (kind)
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
