-- title: Agents named and blocked by owners and by templates
-- id: I03
-- question: What share of sites names each agent, and blocks it by name, with and without the files whose template names it?
-- grain: one row per crawl, stratum and agent
-- reads: strata, stratum_bodies, population_classes, class_blocking, policies, agents, templates, template_bodies
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named
-- parameter: denominator = rules
-- parameter: top count = 50, agents: how many agents, those with the most naming sites first
-- column: sites_naming: sites whose file names the agent
-- column: share_named: sites_naming divided by sites_counted
-- column: sites_naming_by_owners: how many of sites_naming have no template that names the agent
-- column: share_named_by_owners: sites_naming_by_owners divided by sites_counted
-- column: sites_blocking: sites that name and block the agent; null if the agent is not tracked
-- column: share_blocked: sites_blocking divided by sites_counted; null if the agent is not tracked
-- column: sites_blocking_by_owners: how many of sites_blocking have no template that names the agent; null if the agent is not tracked
-- column: share_blocked_by_owners: sites_blocking_by_owners divided by sites_counted; null if the agent is not tracked
-- caveat: Naming and blocking count as a template's if the file has a template with a group for the agent, in all or in some versions of the template. The owner may have wanted the same.
-- caveat: Columns on blocking count blocks by name, by the chosen definition, and not blocks by the wildcard group. They are null for agents that are not tracked.
-- caveat: GPTBot Foo also names GPTBot. Without --tokens, a name has a row if it stands alone in a user-agent line on at least half of the sites that name it, in the crawl and stratum of the row.
-- caveat: Files of unknown templates count as the owners' choice, and so do lists that owners copied from each other.
WITH template_agents AS (
    SELECT DISTINCT b.crawl, b.body_id, t.agent
    FROM template_bodies AS b
    JOIN templates AS t ON t.template = b.template
    WHERE t.part IN ('rule', 'group') AND t.agent <> '' AND t.agent <> '*'
),
named_agents AS (
    SELECT crawl, body_id, token AS agent, is_written
    FROM policies
    WHERE token <> '*' AND ('' IN ($tokens) OR token IN ($tokens))
),
weighted_agents AS (
    SELECT n.crawl, s.stratum, n.body_id, n.agent, n.is_written, s.weight, s.weight_slack
    FROM stratum_bodies AS s
    JOIN named_agents AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
),
-- The smaller side of the join comes first, because it is kept in memory.
sites_by_agent AS (
    SELECT
        w.crawl,
        w.stratum,
        w.agent,
        sum(w.weight) AS sites_naming,
        sum(CASE WHEN t.body_id IS NULL THEN w.weight ELSE 0 END) AS sites_naming_by_owners
    FROM template_agents AS t
    RIGHT JOIN weighted_agents AS w ON w.crawl = t.crawl AND w.body_id = t.body_id AND w.agent = t.agent
    GROUP BY w.crawl, w.stratum, w.agent
    HAVING '' NOT IN ($tokens) OR sum(CASE WHEN w.is_written THEN w.weight ELSE -w.weight END + w.weight_slack) >= 0
),
class_bodies AS (
    SELECT crawl, stratum, body_id, blocking_class_id, sum(weight) AS weight
    FROM population_classes
    GROUP BY crawl, stratum, body_id, blocking_class_id
),
blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        k.agent,
        sum(v.weight) AS sites_blocking,
        sum(CASE WHEN t.body_id IS NULL THEN v.weight ELSE 0 END) AS sites_blocking_by_owners
    FROM class_bodies AS v
    JOIN class_blocking AS k ON k.crawl = v.crawl AND k.blocking_class_id = v.blocking_class_id
    LEFT JOIN template_agents AS t ON t.crawl = v.crawl AND t.body_id = v.body_id AND t.agent = k.agent
    WHERE k.blocked AND k.match_kind = 'explicit'
    GROUP BY v.crawl, v.stratum, k.agent
),
listed_agents AS (
    SELECT DISTINCT token AS agent FROM agents WHERE tracked
),
ranked_agents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites_naming DESC, agent) AS bigint) AS place
    FROM sites_by_agent
),
agent_rows AS (
    SELECT
        r.crawl,
        r.stratum,
        r.place,
        r.agent,
        s.sites_counted,
        r.sites_naming,
        r.sites_naming_by_owners,
        CASE WHEN t.agent IS NOT NULL THEN coalesce(b.sites_blocking, 0) END AS sites_blocking,
        CASE WHEN t.agent IS NOT NULL THEN coalesce(b.sites_blocking_by_owners, 0) END AS sites_blocking_by_owners
    FROM ranked_agents AS r
    JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
    LEFT JOIN listed_agents AS t ON t.agent = r.agent
    LEFT JOIN blocks_by_agent AS b ON b.crawl = r.crawl AND b.stratum = r.stratum AND b.agent = r.agent
    WHERE r.place <= $top
)
SELECT
    crawl,
    stratum,
    agent,
    sites_counted,
    sites_naming,
    CAST(sites_naming AS double) / nullif(sites_counted, 0) AS share_named,
    sites_naming_by_owners,
    CAST(sites_naming_by_owners AS double) / nullif(sites_counted, 0) AS share_named_by_owners,
    sites_blocking,
    CAST(sites_blocking AS double) / nullif(sites_counted, 0) AS share_blocked,
    sites_blocking_by_owners,
    CAST(sites_blocking_by_owners AS double) / nullif(sites_counted, 0) AS share_blocked_by_owners
FROM agent_rows
ORDER BY crawl, stratum, place
