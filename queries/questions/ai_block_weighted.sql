-- title: Pages of sites that block AI agents
-- id: E08
-- question: What share of pages, or of another weight, belongs to sites that block an AI agent?
-- grain: one row per crawl, stratum and agent, and one with the agent * for any of them
-- reads: weighed_sites, stratum_classes, ai_blocking, known_ai_agents
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all AI agents
-- parameter: weight = own
-- parameter: top count = 30, agents: how many agents, those with the greatest blocked weight first, and * besides
-- column: agent: the AI agent, in lower case; * is any of the chosen AI agents, not the wildcard group
-- column: weighed_by: site, host, domain, own: the value of --weight
-- column: weight_blocked: weight of the sites that block the agent, by name or not
-- column: weight_blocked_by_name: weight of the sites that name and block the agent
-- column: weight_counted: weight of all counted sites
-- column: share: weight_blocked divided by weight_counted; null if weight_counted is 0
-- column: share_by_name: weight_blocked_by_name divided by weight_counted; null if weight_counted is 0
-- column: sites: number of sites that block the agent, without their weights
-- column: sites_counted: number of all counted sites, without their weights
-- column: sites_weighed: number of counted sites that the table weights lists, by their host or domain; 0 without this table
-- column: share_of_sites: sites divided by sites_counted
-- caveat: The table weights (--table weights=FILE) lists hosts or domains with their weights, such as pages fetched or tokens of a corpus. In printed SQL without it, all weights are 0 and shares are null.
-- caveat: Hosts that are not listed have the weight 0. sites_weighed counts the listed ones.
-- caveat: Here * means any of the chosen AI agents, not the wildcard group. Chosen agents that are not AI agents do not count. Only columns with by_name omit blocks by the wildcard group. An agent counts in the first crawl in which a site names it and in all later ones.
WITH stratum_weights AS (
    SELECT
        crawl,
        stratum,
        $weight AS weighed_by,
        sum(weight) AS weight_counted,
        count(*) AS sites_counted,
        count(listed_weight) AS sites_weighed
    FROM weighed_sites
    GROUP BY crawl, stratum
),
agent_blocks AS (
    SELECT crawl, blocking_class_id, agent, is_by_name
    FROM ai_blocking
    WHERE '' IN ($tokens) OR agent IN ($tokens)
),
agent_and_any_blocks AS (
    SELECT crawl, blocking_class_id, agent, is_by_name FROM agent_blocks
    UNION ALL
    SELECT crawl, blocking_class_id, '*' AS agent, max(is_by_name) AS is_by_name FROM agent_blocks GROUP BY crawl, blocking_class_id
),
blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        a.agent,
        sum(v.weight) AS weight_blocked,
        sum(CASE a.is_by_name WHEN 1 THEN v.weight ELSE 0 END) AS weight_blocked_by_name,
        sum(v.sites) AS sites
    FROM stratum_classes AS v
    JOIN agent_and_any_blocks AS a ON a.crawl = v.crawl AND a.blocking_class_id = v.blocking_class_id
    GROUP BY v.crawl, v.stratum, a.agent
),
listed_agents AS (
    SELECT crawl, agent FROM known_ai_agents WHERE '' IN ($tokens) OR agent IN ($tokens)
    UNION ALL
    SELECT DISTINCT crawl, '*' AS agent FROM stratum_weights
),
-- A stratum may have no site that blocks the agent.
sites_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        l.agent,
        coalesce(b.weight_blocked, 0) AS weight_blocked,
        coalesce(b.weight_blocked_by_name, 0) AS weight_blocked_by_name,
        coalesce(b.sites, 0) AS sites
    FROM stratum_weights AS s
    JOIN listed_agents AS l ON l.crawl = s.crawl
    LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = l.agent
),
agent_totals AS (
    SELECT
        *,
        sum(weight_blocked) OVER (PARTITION BY agent) AS weight_of_all,
        sum(sites) OVER (PARTITION BY agent) AS sites_of_all
    FROM sites_by_agent
),
ranked_agents AS (
    SELECT
        *,
        CAST(dense_rank() OVER (ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, weight_of_all DESC, sites_of_all DESC, agent) AS bigint) AS place
    FROM agent_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    s.weighed_by,
    r.weight_blocked,
    r.weight_blocked_by_name,
    s.weight_counted,
    CAST(r.weight_blocked AS double) / nullif(s.weight_counted, 0) AS share,
    CAST(r.weight_blocked_by_name AS double) / nullif(s.weight_counted, 0) AS share_by_name,
    r.sites,
    s.sites_counted,
    s.sites_weighed,
    r.sites / nullif(CAST(s.sites_counted AS double), 0) AS share_of_sites
FROM ranked_agents AS r
JOIN stratum_weights AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place - 1 <= $top
ORDER BY r.crawl, r.stratum, r.place
