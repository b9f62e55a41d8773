-- title: Copied lists of AI agents
-- id: E06
-- question: Which sets of AI agents do many sites name alike, and how old must such a list be at most?
-- grain: one row per crawl, stratum and set of AI agents that files name; a body is counted once however many sites serve it
-- reads: stratum_contents, strata, policies, agents
-- parameter: least integer = 3, agents: files that name fewer AI agents carry no list
-- parameter: top integer = 30, sets: how many for each crawl and stratum, those of most sites first
-- caveat: a set that many bodies have in common was copied, or comes from a platform's switch; one that a single body has was written once, though many sites may serve it
-- caveat: newest is the youngest of the agents that have a known first day, so that the list is no older; of few agents it is known
-- caveat: coverage is of all AI agents in agents.csv, tracked or not
WITH ai AS (
    SELECT lower(token) AS agent, valid_from FROM agents WHERE is_ai
),
listed AS (
    SELECT count(*) AS agents FROM ai
),
named AS (
    SELECT
        p.crawl,
        p.body_id,
        count(*) AS agents,
        max(a.valid_from) AS newest,
        -- None is null; said, since DataFusion takes the one order for the other where it has sorted for a join.
        string_agg(a.agent, ', ' ORDER BY a.agent NULLS FIRST) AS agent_set
    FROM policies AS p
    JOIN ai AS a ON a.agent = p.token
    GROUP BY p.crawl, p.body_id
    HAVING count(*) >= $least
),
told AS (
    SELECT
        h.crawl,
        h.stratum,
        n.agent_set,
        max(n.agents) AS agents,
        max(n.newest) AS newest,
        sum(h.weight) AS sites,
        count(*) AS bodies
    FROM stratum_contents AS h
    JOIN named AS n ON n.crawl = h.crawl AND n.body_id = h.body_id
    GROUP BY h.crawl, h.stratum, n.agent_set
),
placed AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_with_list,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, agent_set) AS bigint) AS place
    FROM told
)
SELECT
    p.crawl,
    p.stratum,
    p.place,
    p.agents,
    p.newest,
    p.sites,
    p.sites_with_list,
    c.sites_counted,
    p.sites / nullif(c.sites_counted, 0) AS share,
    p.sites / nullif(p.sites_with_list, 0) AS share_of_lists,
    p.bodies,
    p.agents / CAST(l.agents AS double) AS coverage,
    CAST(p.agent_set AS varchar) AS agent_set
FROM placed AS p
JOIN strata AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
CROSS JOIN listed AS l
WHERE p.place <= $top
ORDER BY p.crawl, p.stratum, p.place
