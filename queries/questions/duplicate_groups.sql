-- title: Agents with several groups
-- id: C10
-- question: What share of sites has several groups for one agent, which RFC 9309 combines, and how often do these groups contradict each other?
-- grain: one row per crawl, stratum and agent, most sites first; place 0, without an agent, is for any agent, and every stratum has it
-- reads: stratum_totals, stratum_contents, policies, groups, rules
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents, those with the most sites first
-- column: place: the place of the agent in its crawl and stratum, from 1; 0 for any agent
-- column: agent: the agent, in lower case; null for any agent
-- column: most_groups: greatest number of groups for one agent in a file; null if there is no such file
-- column: bodies: distinct files that have several groups for the agent
-- column: sites: sites whose file has several groups for the agent
-- column: sites_contradictory: of these sites, those with a pattern that one of the groups allows and another disallows
-- column: share_contradictory: sites_contradictory divided by sites_counted
-- column: sites_split: of these sites, those where one of the groups alone disallows / and another alone does not
-- column: share_split: sites_split divided by sites_counted
-- caveat: Parsers that keep only the first or only the last group read all these files differently.
-- caveat: sites_contradictory counts sites with a pattern that one group of the agent allows and another disallows. sites_split counts sites where one group alone would disallow / and another alone would not.
-- caveat: GPTBot Foo and GPTBot Bar also name GPTBot. Without --tokens, a name has a row if it stands alone in a user-agent line on at least half of the sites with several groups for it, in the crawl and stratum of the row. All names count for any agent.
-- caveat: For any agent, a body counts once, even if it has several such agents.
WITH repeated_agents AS (
    SELECT p.crawl, c.stratum, p.body_id, p.token, p.is_written, p.merged_groups, c.weight AS sites, c.weight_slack
    FROM policies AS p
    JOIN stratum_contents AS c ON c.crawl = p.crawl AND c.body_id = p.body_id
    WHERE p.merged_groups > 1 AND ('' IN ($tokens) OR p.token IN ($tokens))
),
-- A line names an agent by its token or its product token.
repeated_groups AS (
    SELECT r.crawl, r.stratum, r.body_id, r.token, g.group_no, g.root_allowed
    FROM repeated_agents AS r
    JOIN groups AS g ON g.crawl = r.crawl AND g.body_id = r.body_id AND g.token = r.token
    UNION
    SELECT r.crawl, r.stratum, r.body_id, r.token, g.group_no, g.root_allowed
    FROM repeated_agents AS r
    JOIN groups AS g ON g.crawl = r.crawl AND g.body_id = r.body_id AND g.product_token = r.token
),
contradicted_agents AS (
    SELECT DISTINCT crawl, stratum, body_id, token
    FROM (
        SELECT g.crawl, g.stratum, g.body_id, g.token, coalesce(r.pattern_normal, r.pattern) AS pattern
        FROM repeated_groups AS g
        JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
        WHERE r.octets > 0
        GROUP BY g.crawl, g.stratum, g.body_id, g.token, coalesce(r.pattern_normal, r.pattern)
        HAVING min(g.group_no) < max(g.group_no)
            AND max(CASE WHEN r.allow THEN 1 ELSE 0 END) > min(CASE WHEN r.allow THEN 1 ELSE 0 END)
    ) AS patterns
),
split_agents AS (
    SELECT crawl, stratum, body_id, token
    FROM repeated_groups
    GROUP BY crawl, stratum, body_id, token
    HAVING max(CASE WHEN root_allowed THEN 1 ELSE 0 END) > min(CASE WHEN root_allowed THEN 1 ELSE 0 END)
),
judged_agents AS (
    SELECT
        r.crawl,
        r.stratum,
        r.body_id,
        r.token,
        r.is_written,
        r.merged_groups,
        r.sites,
        r.weight_slack,
        CASE WHEN c.body_id IS NULL THEN 0 ELSE 1 END AS is_contradictory,
        CASE WHEN s.body_id IS NULL THEN 0 ELSE 1 END AS is_split
    FROM repeated_agents AS r
    LEFT JOIN contradicted_agents AS c ON c.crawl = r.crawl AND c.stratum = r.stratum AND c.body_id = r.body_id AND c.token = r.token
    LEFT JOIN split_agents AS s ON s.crawl = r.crawl AND s.stratum = r.stratum AND s.body_id = r.body_id AND s.token = r.token
),
agent_bodies AS (
    SELECT crawl, stratum, body_id, token AS agent, is_written, merged_groups, sites, weight_slack, is_contradictory, is_split
    FROM judged_agents
    UNION ALL
    SELECT crawl, stratum, body_id, NULL, true, max(merged_groups), sites, weight_slack, max(is_contradictory), max(is_split)
    FROM judged_agents
    GROUP BY crawl, stratum, body_id, sites, weight_slack
),
agent_totals AS (
    SELECT
        crawl,
        stratum,
        agent,
        max(merged_groups) AS most_groups,
        count(*) AS bodies,
        sum(sites) AS sites,
        sum(is_contradictory * sites) AS sites_contradictory,
        sum(is_split * sites) AS sites_split
    FROM agent_bodies
    GROUP BY crawl, stratum, agent
    HAVING '' NOT IN ($tokens) OR sum(CASE WHEN is_written THEN sites ELSE -sites END + weight_slack) >= 0
),
listed_agents AS (
    SELECT
        s.crawl,
        s.stratum,
        a.agent,
        a.most_groups,
        coalesce(a.bodies, 0) AS bodies,
        coalesce(a.sites, 0) AS sites,
        coalesce(a.sites_contradictory, 0) AS sites_contradictory,
        coalesce(a.sites_split, 0) AS sites_split
    FROM stratum_totals AS s
    LEFT JOIN (SELECT * FROM agent_totals WHERE agent IS NULL) AS a ON a.crawl = s.crawl AND a.stratum = s.stratum
    UNION ALL
    SELECT crawl, stratum, agent, most_groups, bodies, sites, sites_contradictory, sites_split FROM agent_totals WHERE agent IS NOT NULL
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum ORDER BY CASE WHEN agent IS NULL THEN 0 ELSE 1 END, sites DESC, bodies DESC, agent
        ) AS bigint) - 1 AS place
    FROM listed_agents
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.agent,
    r.most_groups,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share,
    r.sites_contradictory,
    CAST(r.sites_contradictory AS double) / nullif(c.sites_counted, 0) AS share_contradictory,
    r.sites_split,
    CAST(r.sites_split AS double) / nullif(c.sites_counted, 0) AS share_split
FROM ranked_agents AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
