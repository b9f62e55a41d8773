-- title: Agents that gain paths by being named
-- id: C12
-- question: On what share of the sites that name an agent may it fetch paths that the wildcard group disallows, because its own group lacks those rules?
-- grain: one row per crawl, stratum, agent and way, for the tracked agents that gain on the most sites
-- reads: stratum_totals, stratum_contents, policies, groups, rules, agents
-- parameter: tokens = ''
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents, those that gain on the most sites first
-- column: place: the place of the agent in its crawl and stratum, from 1
-- column: way: why the agent gains paths: no-rules, disallows-nothing, other-rules; or whether it does: undecided, nothing-gained
-- column: paths: distinct patterns of wildcard groups that the agent gains, or may gain if it is undecided, added up over distinct files
-- column: sites: sites of sites_named where this way applies to the agent
-- column: sites_named: sites that name the agent and whose wildcard group disallows some paths but not all
-- column: share: sites divided by sites_named
-- column: share_of_all: sites divided by sites_counted
-- caveat: A named agent follows only its own groups (RFC 9309 section 2.2.1). The owner may want that: this counts the effect, not the intent.
-- caveat: Only sites whose wildcard group disallows some paths but not all count. only_search_allowed has the sites whose wildcard group disallows all.
-- caveat: The ways exclude one another. no-rules: the group has no allow or disallow line, often only a crawl-delay. disallows-nothing: it disallows nothing, often by Disallow: without a path. other-rules: it disallows something, but not all that the wildcard group does. undecided: perhaps the same, but one of its disallow lines has * or $, and its group does not allow the same path. nothing-gained: everything else.
-- caveat: For other-rules, only disallow lines without * and $ are compared, and none whose path its group also allows. The agent gains such a path if none of its own disallow lines is a prefix of it. Allow lines below the path are ignored.
-- caveat: paths counts the distinct patterns of a wildcard group that the agent gains, or may gain if it is undecided, and adds them up over files. For no-rules and disallows-nothing, these are all that match a path and that the wildcard group does not also allow, even with * and $.
WITH chosen_agents AS (
    SELECT DISTINCT token FROM agents WHERE tracked AND ('' IN ($tokens) OR token IN ($tokens))
),
partly_blocking_bodies AS (
    SELECT p.crawl, c.stratum, p.body_id, c.weight AS sites
    FROM policies AS p
    JOIN stratum_contents AS c ON c.crawl = p.crawl AND c.body_id = p.body_id
    WHERE p.token = '*' AND p.access = 'part'
),
named_agents AS (
    SELECT
        h.crawl,
        h.stratum,
        p.body_id,
        p.token,
        p.access,
        p.allow_rules + p.disallow_rules AS rules,
        p.gain,
        p.gained_paths,
        h.sites
    FROM policies AS p
    JOIN partly_blocking_bodies AS h ON h.crawl = p.crawl AND h.body_id = p.body_id
    WHERE p.token IN (SELECT token FROM chosen_agents)
),
-- Files that allow a named agent everything, so that it gains all paths that the wildcard group disallows.
freeing_bodies AS (
    SELECT DISTINCT crawl, body_id FROM named_agents WHERE access = 'all'
),
hidden_paths AS (
    SELECT f.crawl, f.body_id, coalesce(r.pattern_normal, r.pattern) AS pattern
    FROM freeing_bodies AS f
    JOIN groups AS g ON g.crawl = f.crawl AND g.body_id = f.body_id
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    WHERE g.token = '*'
    GROUP BY f.crawl, f.body_id, coalesce(r.pattern_normal, r.pattern)
    -- As a condition of WHERE, the start of a pattern would be taken from all rules, before the joins.
    HAVING max(CASE WHEN r.allow THEN 1 ELSE 0 END) = 0
        AND max(CASE WHEN left(coalesce(r.pattern_normal, r.pattern), 1) IN ('/', '*') THEN 1 ELSE 0 END) = 1
),
hidden_totals AS (
    SELECT crawl, body_id, count(*) AS paths FROM hidden_paths GROUP BY crawl, body_id
),
agent_ways AS (
    SELECT
        n.crawl,
        n.stratum,
        n.token,
        n.sites,
        CASE
            WHEN n.rules = 0 THEN 'no-rules'
            WHEN n.access = 'all' THEN 'disallows-nothing'
            WHEN n.gain = 'paths' THEN 'other-rules'
            WHEN n.gain = 'undecided' THEN 'undecided'
            ELSE 'nothing-gained'
        END AS way,
        CASE WHEN n.access = 'all' THEN coalesce(h.paths, 0) ELSE coalesce(n.gained_paths, 0) END AS paths
    FROM named_agents AS n
    LEFT JOIN hidden_totals AS h ON h.crawl = n.crawl AND h.body_id = n.body_id
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
        sum(CASE WHEN way IN ('no-rules', 'disallows-nothing', 'other-rules') THEN sites ELSE 0 END) AS sites_gaining
    FROM way_totals
    GROUP BY crawl, stratum, agent
),
ranked_agents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites_gaining DESC, sites_named DESC, agent) AS bigint) AS place
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
    CAST(w.sites AS double) / nullif(r.sites_named, 0) AS share,
    c.sites_counted,
    CAST(w.sites AS double) / nullif(c.sites_counted, 0) AS share_of_all
FROM way_totals AS w
JOIN ranked_agents AS r ON r.crawl = w.crawl AND r.stratum = w.stratum AND r.agent = w.agent
JOIN stratum_totals AS c ON c.crawl = w.crawl AND c.stratum = w.stratum
WHERE r.place <= $top
ORDER BY w.crawl, w.stratum, r.place, w.sites DESC, w.way
