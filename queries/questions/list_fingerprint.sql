-- title: Copied lists of AI agents
-- id: E06
-- question: Which sets of AI agents do many sites name, and how old can such a list be at most?
-- grain: one row per crawl, stratum and set of named AI agents; a body counts once, however many sites serve it
-- reads: stratum_contents, strata, line_tokens, agents
-- parameter: least count = 3, agents: files that name fewer AI agents have no list
-- parameter: top count = 30, sets: how many sets per crawl and stratum, those with the most sites first
-- column: agents: how many AI agents are in the set
-- column: newest: the latest known first day of an agent in the set, as a year, month or day; null if none is known
-- column: sites: sites whose file names exactly this set of AI agents
-- column: sites_with_list: sites whose file names at least --least AI agents
-- column: share_of_lists: sites divided by sites_with_list
-- column: bodies: distinct files that name exactly this set of AI agents
-- column: coverage: agents divided by the number of AI agents in agents.csv, tracked or not
-- column: agent_set: the AI agents of the set in alphabetical order, separated by commas
-- caveat: A set in many bodies was copied, or comes from a setting of a platform. A set in one body was written once, although many sites may serve it.
-- caveat: A user-agent line has one name: that in the line if agents.csv has it, otherwise the product token. GPTBot Foo counts as GPTBot.
-- caveat: newest is the latest known first day of an agent in the set. The list cannot be older. Few agents have a known first day.
-- caveat: coverage is the share of all AI agents in agents.csv, tracked or not.
WITH ai_agents AS (
    SELECT token AS agent, valid_from FROM agents WHERE is_ai
),
agent_count AS (
    SELECT count(*) AS agents FROM ai_agents
),
named_agents AS (
    SELECT t.crawl, t.body_id, a.agent, a.valid_from
    FROM ai_agents AS a
    JOIN line_tokens AS t ON t.token = a.agent
    GROUP BY t.crawl, t.body_id, a.agent, a.valid_from
),
agent_sets AS (
    SELECT
        crawl,
        body_id,
        count(*) AS agents,
        max(valid_from) AS newest,
        array_to_string(array_sort(array_agg(agent)), ', ') AS agent_set
    FROM named_agents
    GROUP BY crawl, body_id
    HAVING count(*) >= $least
),
set_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        a.agent_set,
        max(a.agents) AS agents,
        max(a.newest) AS newest,
        sum(s.weight) AS sites,
        count(*) AS bodies
    FROM stratum_contents AS s
    JOIN agent_sets AS a ON a.crawl = s.crawl AND a.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, a.agent_set
),
ranked_sets AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_with_list,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, agent_set) AS bigint) AS place
    FROM set_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.agents,
    r.newest,
    r.sites,
    r.sites_with_list,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(r.sites AS double) / nullif(r.sites_with_list, 0) AS share_of_lists,
    r.bodies,
    r.agents / nullif(CAST(a.agents AS double), 0) AS coverage,
    CAST(r.agent_set AS varchar) AS agent_set
FROM ranked_sets AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
CROSS JOIN agent_count AS a
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
