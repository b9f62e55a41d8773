-- title: Sites that block AI agents
-- id: E01
-- question: What share of sites blocks at least one AI agent, many, or all?
-- grain: one row per crawl and stratum
-- reads: strata, voices, voice_blocking, agents
-- parameter: many integer = 5, agents: a site that blocks this many agents, or more, blocks many
-- caveat: AI agents are the tracked agents that agents.csv lists as made to train models, to feed AI search or assistants, or to act for them. Search engines are not among them, though some feed models too.
-- caveat: A wildcard group that blocks all blocks every agent that is not named. Only blocks by name are meant for the agent.
-- caveat: The list of agents is of one day. No site could block an agent before it had a name.
WITH ai_agents AS (
    SELECT lower(token) AS agent FROM agents WHERE is_ai AND tracked
),
agent_count AS (
    SELECT count(*) AS agents FROM ai_agents
),
blocking_voices AS (
    SELECT
        crawl,
        voice_id,
        count(*) AS agents,
        sum(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM voice_blocking
    WHERE blocked AND agent IN (SELECT agent FROM ai_agents)
    GROUP BY crawl, voice_id
),
blocks_by_stratum AS (
    SELECT
        v.crawl,
        v.stratum,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents >= $many THEN v.weight ELSE 0 END) AS sites_many,
        sum(CASE WHEN b.agents_by_name >= $many THEN v.weight ELSE 0 END) AS sites_many_by_name,
        sum(CASE WHEN b.agents = a.agents THEN v.weight ELSE 0 END) AS sites_all,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight * b.agents_by_name ELSE 0 END) AS blocks_by_name
    FROM voices AS v
    JOIN blocking_voices AS b ON b.crawl = v.crawl AND b.voice_id = v.voice_id
    CROSS JOIN agent_count AS a
    GROUP BY v.crawl, v.stratum
)
SELECT
    s.crawl,
    s.stratum,
    a.agents,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    coalesce(b.sites_many, 0) AS sites_many,
    coalesce(b.sites_many_by_name, 0) AS sites_many_by_name,
    coalesce(b.sites_all, 0) AS sites_all,
    s.sites_counted - coalesce(b.sites, 0) AS sites_none,
    s.sites_counted,
    coalesce(b.sites, 0) / nullif(s.sites_counted, 0) AS share,
    coalesce(b.sites_by_name, 0) / nullif(s.sites_counted, 0) AS share_by_name,
    coalesce(b.sites_many, 0) / nullif(s.sites_counted, 0) AS share_many,
    coalesce(b.sites_all, 0) / nullif(s.sites_counted, 0) AS share_all,
    b.blocks_by_name / nullif(b.sites_by_name, 0) AS mean_agents_by_name
FROM strata AS s
CROSS JOIN agent_count AS a
LEFT JOIN blocks_by_stratum AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
ORDER BY s.crawl, s.stratum
