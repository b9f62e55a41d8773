-- title: Agents that gain paths by being named
-- id: C12
-- question: On what share of the sites that name an agent may it fetch paths that the wildcard group disallows, because its own group lacks those rules?
-- grain: one row per crawl, stratum, agent and way, for the tracked agents that gain on the most sites
-- reads: stratum_totals, stratum_contents, policies, groups, rules, agents
-- parameter: tokens = ''
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents, those that gain on the most sites first
-- caveat: A named agent follows only its own groups (RFC 9309 section 2.2.1). The owner may want that: this counts the effect, not the intent.
-- caveat: Only sites whose wildcard group disallows some paths but not all count. only_search_allowed has the sites whose wildcard group disallows all.
-- caveat: The ways exclude one another. no-rules: the group has no allow or disallow line, often only a crawl-delay. refuses-nothing: it disallows nothing, often by Disallow: without a path. other-rules: it disallows something, but not all that the wildcard group does. undecided: perhaps the same, but one of its disallow lines has * or $. nothing-gained: everything else.
-- caveat: For other-rules, only disallow lines of the wildcard group without * and $ are compared, unless the group also allows their path. The agent gains such a path if none of its own disallow lines is a prefix of it. Allow lines below the path are ignored.
WITH chosen_agents AS (
    SELECT DISTINCT lower(token) AS token FROM agents WHERE tracked AND ('' IN ($tokens) OR lower(token) IN ($tokens))
),
partly_blocking_bodies AS (
    SELECT p.crawl, c.stratum, p.body_id, p.disallow_rules, c.weight AS sites
    FROM policies AS p
    JOIN stratum_contents AS c ON c.crawl = p.crawl AND c.body_id = p.body_id
    WHERE p.token = '*' AND p.access = 'part'
),
named_agents AS (
    SELECT p.crawl, h.stratum, p.body_id, p.token, p.access, p.allow_rules + p.disallow_rules AS rules, h.disallow_rules AS hidden_rules, h.sites
    FROM policies AS p
    JOIN partly_blocking_bodies AS h ON h.crawl = p.crawl AND h.body_id = p.body_id
    WHERE p.token IN (SELECT token FROM chosen_agents)
),
compared_agents AS (
    SELECT crawl, stratum, body_id, token FROM named_agents WHERE access = 'part'
    UNION ALL
    SELECT DISTINCT crawl, stratum, body_id, '*' FROM named_agents WHERE access = 'part'
),
-- The patterns of the wildcard group and of each agent, in bodies where they must be compared.
agent_patterns AS (
    SELECT
        p.crawl,
        p.stratum,
        p.body_id,
        p.token,
        coalesce(r.pattern_normal, r.pattern) AS pattern,
        max(CASE WHEN r.wildcards > 0 OR r.anchored THEN 1 ELSE 0 END) AS is_starred,
        max(CASE WHEN r.allow THEN 1 ELSE 0 END) AS is_allowed
    FROM (
        SELECT DISTINCT c.crawl, c.stratum, c.body_id, c.token, g.group_no
        FROM compared_agents AS c
        JOIN groups AS g ON g.crawl = c.crawl AND g.body_id = c.body_id AND g.token = c.token
    ) AS p
    JOIN rules AS r ON r.crawl = p.crawl AND r.body_id = p.body_id AND r.group_no = p.group_no
    WHERE coalesce(r.no_effect, '') NOT IN ('pattern-empty', 'pattern-never-matches')
    GROUP BY p.crawl, p.stratum, p.body_id, p.token, coalesce(r.pattern_normal, r.pattern)
),
disallowed_patterns AS (
    SELECT crawl, stratum, body_id, token, pattern, is_starred FROM agent_patterns WHERE is_allowed = 0
),
-- A path of the wildcard group is covered if a path of the agent is a prefix of it. It sorts before that prefix's cover_end.
cover_ends AS (
    SELECT n.crawl, n.stratum, n.body_id, n.token, d.pattern, 1 AS is_hidden, NULL AS cover_end
    FROM named_agents AS n
    JOIN disallowed_patterns AS d ON d.crawl = n.crawl AND d.stratum = n.stratum AND d.body_id = n.body_id AND d.token = '*' AND d.is_starred = 0
    WHERE n.access = 'part'
    UNION ALL
    SELECT crawl, stratum, body_id, token, pattern, 0 AS is_hidden, pattern || chr(1114111) AS cover_end
    FROM disallowed_patterns
    WHERE token <> '*' AND is_starred = 0
),
covered_patterns AS (
    SELECT
        crawl,
        stratum,
        body_id,
        token,
        pattern,
        is_hidden,
        max(cover_end) OVER (PARTITION BY crawl, stratum, body_id, token ORDER BY pattern, is_hidden ROWS UNBOUNDED PRECEDING) AS cover_end
    FROM cover_ends
),
gained_paths AS (
    SELECT crawl, stratum, body_id, token, count(*) AS paths
    FROM covered_patterns
    WHERE is_hidden = 1 AND coalesce(cover_end <= pattern, true)
    GROUP BY crawl, stratum, body_id, token
),
special_pattern_agents AS (
    SELECT DISTINCT crawl, stratum, body_id, token FROM disallowed_patterns WHERE is_starred = 1 AND token <> '*'
),
agent_ways AS (
    SELECT
        n.crawl,
        n.stratum,
        n.body_id,
        n.token,
        n.sites,
        CASE
            WHEN n.rules = 0 THEN 'no-rules'
            WHEN n.access = 'all' THEN 'refuses-nothing'
            WHEN g.body_id IS NULL THEN 'nothing-gained'
            WHEN s.body_id IS NULL THEN 'other-rules'
            ELSE 'undecided'
        END AS way,
        CASE WHEN n.access = 'all' THEN n.hidden_rules ELSE coalesce(g.paths, 0) END AS paths
    FROM named_agents AS n
    LEFT JOIN gained_paths AS g ON g.crawl = n.crawl AND g.stratum = n.stratum AND g.body_id = n.body_id AND g.token = n.token
    LEFT JOIN special_pattern_agents AS s ON s.crawl = n.crawl AND s.stratum = n.stratum AND s.body_id = n.body_id AND s.token = n.token
),
way_totals AS (
    SELECT crawl, stratum, token AS agent, way, sum(paths) AS paths, count(*) AS bodies, sum(sites) AS sites
    FROM agent_ways
    GROUP BY crawl, stratum, token, way
),
agent_totals AS (
    SELECT
        crawl,
        stratum,
        agent,
        sum(sites) AS sites_named,
        sum(CASE WHEN way IN ('no-rules', 'refuses-nothing', 'other-rules') THEN sites ELSE 0 END) AS sites_gaining
    FROM way_totals
    GROUP BY crawl, stratum, agent
),
ranked_agents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY round(sites_gaining, 6) DESC, round(sites_named, 6) DESC, agent) AS bigint) AS place
    FROM agent_totals
)
SELECT
    w.crawl,
    w.stratum,
    r.place,
    w.agent,
    w.way,
    w.paths,
    w.bodies,
    w.sites,
    r.sites_named,
    CAST(w.sites AS double) / r.sites_named AS share,
    c.sites_counted,
    CAST(w.sites AS double) / c.sites_counted AS share_of_all
FROM way_totals AS w
JOIN ranked_agents AS r ON r.crawl = w.crawl AND r.stratum = w.stratum AND r.agent = w.agent
JOIN stratum_totals AS c ON c.crawl = w.crawl AND c.stratum = w.stratum
WHERE r.place <= $top
ORDER BY w.crawl, w.stratum, r.place, round(w.sites, 6) DESC, w.way
