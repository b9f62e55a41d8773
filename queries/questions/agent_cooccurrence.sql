-- title: Agents blocked together by name
-- id: D09
-- question: Of the sites that block one agent by name, what share blocks another by name?
-- grain: one row per crawl, stratum and ordered pair of agents, those that the most sites block first
-- reads: stratum_classes, class_blocking, agents
-- parameter: tokens = 'GPTBot, CCBot, ClaudeBot, Google-Extended, ChatGPT-User, Bytespider, Amazonbot, PerplexityBot, Applebot-Extended, meta-externalagent, anthropic-ai, Googlebot, bingbot': which agents, separated by commas or blanks; if empty, all tracked agents
-- column: agent: the first agent of the pair, in lower case
-- column: other: the second agent of the pair, in lower case
-- column: sites: sites that block both agents by name
-- column: sites_agent: sites that block the first agent by name, which is the denominator
-- column: sites_other: sites that block the second agent by name
-- column: share: sites divided by sites_agent; null if sites_agent is 0
-- caveat: A stratum in which no site blocks one of the agents by name has no rows.
-- caveat: The share is of the sites that block the first agent by name. It differs for the same pair in the other order.
-- caveat: Only blocks by name count. A wildcard group that allows no path blocks all pairs of unnamed agents and says nothing about any of them.
WITH chosen_agents AS (
    SELECT token AS agent
    FROM agents
    WHERE tracked
        AND ('' IN ($tokens) OR token IN ($tokens))
),
class_blocks AS (
    SELECT v.crawl, v.stratum, v.blocking_class_id, v.weight, b.agent
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.blocked AND b.match_kind = 'explicit' AND b.agent IN (SELECT agent FROM chosen_agents)
),
-- Many sites block the same sets of agents. Pairs are counted in these few sets. With ORDER BY, string_agg would take
-- ten times as long, because DataFusion keeps an accumulator for each group.
blocking_classes AS (
    SELECT crawl, stratum, blocking_class_id, weight, ',' || array_to_string(array_sort(array_agg(agent)), ',') || ',' AS blocked_agents
    FROM class_blocks
    GROUP BY crawl, stratum, blocking_class_id, weight
),
blocked_sets AS (
    SELECT crawl, stratum, blocked_agents, sum(weight) AS sites FROM blocking_classes GROUP BY crawl, stratum, blocked_agents
),
agent_pairs AS (
    SELECT
        b.crawl,
        b.stratum,
        c.agent,
        a.agent AS other,
        sum(CASE WHEN strpos(b.blocked_agents, ',' || c.agent || ',') > 0
            AND strpos(b.blocked_agents, ',' || a.agent || ',') > 0 THEN b.sites ELSE 0 END) AS sites,
        sum(CASE WHEN strpos(b.blocked_agents, ',' || c.agent || ',') > 0 THEN b.sites ELSE 0 END) AS sites_agent,
        sum(CASE WHEN strpos(b.blocked_agents, ',' || a.agent || ',') > 0 THEN b.sites ELSE 0 END) AS sites_other
    FROM blocked_sets AS b
    CROSS JOIN chosen_agents AS c
    CROSS JOIN chosen_agents AS a
    WHERE c.agent <> a.agent
    GROUP BY b.crawl, b.stratum, c.agent, a.agent
)
SELECT crawl, stratum, agent, other, sites, sites_agent, sites_other, CAST(sites AS double) / nullif(sites_agent, 0) AS share
FROM agent_pairs
ORDER BY crawl, stratum, sites_agent DESC, agent, sites_other DESC, other
