-- title: Rules that decide nothing
-- id: C11
-- question: Which share of rules changes no answer that RFC 9309 gives, and why?
-- grain: one row per crawl and kind of such a rule; the kind any stands for all of them
-- reads: contents, bodies, rules, groups, policies
-- caveat: counted is what is certain, each rule once, as the first kind that applies: pattern-empty, a line without a path; pattern-never-matches, one that begins with neither a slash nor a star; repeated, the same line again in its group; loses-tie, a disallow line whose path its group allows as well; disallow-covered, below a shorter disallow line of its group with no allow line between; allow-covered, the same of allow lines; allow-needless, an allow line with no disallow line above it, such as Allow: / where all of / is not disallowed
-- caveat: covered and needless are told of plain paths alone, without star and dollar sign at its end; if the group has a rule with a star that says the opposite and could come between by its length, the rule is not counted, so that these kinds are lower bounds
-- caveat: an empty Disallow line is a way to say that all is allowed, and it decides nothing
-- caveat: groups of one agent that stand apart are combined by RFC 9309 section 2.2.1, so that what is needless in one of them may decide something beside another; covered and needless are not told of their rules
-- caveat: parsers that take the first match, and not the longest, are led by such rules
-- caveat: rules are those of distinct bodies; rules before the first user-agent line are no part of it
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
self_dead_rules AS (
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
-- In the order of their text, what lies below a path follows it, up to the path with the last of all characters behind
-- it. A path is opened where it stands and closed there, and those that are open are above it. At the end of a group none
-- is open, so that the count goes on through the groups of many bodies: windows over groups one by one cost twice as
-- much.
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
-- The next path above one is the last before it that is one less deep, of which there is one in its group if it is not the
-- topmost. What it says is told by one number, which grows
-- with its place: the place, the octets (below 2 to the power of 26) and whether it allows.
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
        -- What no rule speaks of is allowed.
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
-- Groups whose rules are combined with those of another group of the same agent.
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
    FROM self_dead_rules AS s
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
