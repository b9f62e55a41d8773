-- title: Agents blocked by name and by the wildcard group
-- id: D04
-- question: Is an agent blocked by name, or by the wildcard group?
-- grain: one row per crawl, stratum and agent
-- reads: strata, stratum_classes, class_blocking, tracked_agents
-- parameter: tokens = ''
-- parameter: top count = 30, agents: how many agents, those that the most sites block by name first
-- column: sites_named: sites whose file names the agent
-- column: sites: sites that block the agent, by name or not
-- column: sites_by_name: sites that name and block the agent
-- column: sites_by_wildcard: sites that block the agent and where the wildcard group applies to it
-- column: sites_without_file: sites that block the agent although no group applies to it
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: share_by_wildcard: sites_by_wildcard divided by sites_counted
-- column: share_of_blocks_by_name: sites_by_name divided by sites; null if sites is 0
-- caveat: A block by the wildcard group is not a decision about the agent.
-- caveat: sites_without_file counts sites that block the agent although no group applies to it. They are unreachable. By the definition d9-any-subdomain, the file of another site of their domain may block it, too, and they may have a file.
-- caveat: Some crawlers, mostly of advertisers, say that they ignore the wildcard group. Here it applies to them as to all others.
WITH blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        b.agent,
        sum(CASE WHEN b.match_kind = 'explicit' THEN v.weight ELSE 0 END) AS sites_named,
        sum(CASE WHEN b.blocked THEN v.weight ELSE 0 END) AS sites,
        sum(CASE WHEN b.blocked AND b.match_kind = 'explicit' THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.blocked AND b.match_kind = 'wildcard' THEN v.weight ELSE 0 END) AS sites_by_wildcard,
        sum(CASE WHEN b.blocked AND b.match_kind = 'none' THEN v.weight ELSE 0 END) AS sites_without_file
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE (b.blocked OR b.match_kind = 'explicit')
        AND b.agent <> '*'
        AND ('' IN ($tokens) OR b.agent IN ($tokens))
    GROUP BY v.crawl, v.stratum, b.agent
),
-- A stratum may have no site that blocks or names the agent.
sites_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        s.sites_counted,
        t.agent,
        coalesce(b.sites_named, 0) AS sites_named,
        coalesce(b.sites, 0) AS sites,
        coalesce(b.sites_by_name, 0) AS sites_by_name,
        coalesce(b.sites_by_wildcard, 0) AS sites_by_wildcard,
        coalesce(b.sites_without_file, 0) AS sites_without_file
    FROM strata AS s
    JOIN tracked_agents AS t ON t.crawl = s.crawl
    LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = t.agent
    WHERE t.agent <> '*' AND ('' IN ($tokens) OR t.agent IN ($tokens))
),
agent_totals AS (
    SELECT
        *,
        sum(sites_by_name) OVER (PARTITION BY agent) AS sites_by_name_of_all,
        sum(sites) OVER (PARTITION BY agent) AS sites_of_all
    FROM sites_by_agent
),
ranked_agents AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY sites_by_name_of_all DESC, sites_of_all DESC, agent) AS bigint) AS place FROM agent_totals
)
SELECT
    crawl,
    stratum,
    agent,
    sites_named,
    sites,
    sites_by_name,
    sites_by_wildcard,
    sites_without_file,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_by_name AS double) / nullif(sites_counted, 0) AS share_by_name,
    CAST(sites_by_wildcard AS double) / nullif(sites_counted, 0) AS share_by_wildcard,
    CAST(sites_by_name AS double) / nullif(sites, 0) AS share_of_blocks_by_name
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, sites_by_name DESC, sites DESC, agent
