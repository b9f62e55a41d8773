-- title: First crawl in which agents are named
-- id: H03
-- question: In which crawl is each agent first named, and what share of sites names it in each crawl?
-- grain: one row per crawl, stratum and agent, including crawls before the first one with a site that names it
-- reads: strata, stratum_bodies, policies, agents, crawls
-- no crawl: it compares all crawls of the folder
-- parameter: denominator = read
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named; * is no agent here
-- parameter: top count = 30, agents: how many agents per stratum, those with the greatest share in any crawl first
-- parameter: only one of any tracked ai = any, agents: which agents; any: all that are named; tracked: tracked agents; ai: AI agents
-- column: first_crawl: the first crawl of the tables in which a counted site of the stratum names the agent
-- column: sites: sites whose file names the agent
-- column: share_gained: share minus the share in the previous crawl that has the stratum; null in the first one
-- caveat: A named agent need not be blocked: its group may allow all paths.
-- caveat: GPTBot Foo also names GPTBot. Without --tokens and --only, a name has a row if it stands alone in a user-agent line on at least half of the sites that name it, in the stratum and in all crawls together.
-- caveat: Each crawl selects its hosts anew. A share may change although no site changed; policy_flips compares the same sites.
-- caveat: first_crawl is the first crawl of the tables in which a counted site of the stratum names the agent. The view crawls has the order of crawls. share_gained is the difference to the previous crawl that has the stratum.
WITH listed_agents AS (
    SELECT DISTINCT token AS agent
    FROM agents
    WHERE $only = 'tracked' AND tracked OR $only = 'ai' AND is_ai
),
named_agents AS (
    SELECT crawl, body_id, token AS agent, is_written
    FROM policies
    WHERE token <> '*'
        AND ('' IN ($tokens) OR token IN ($tokens))
        AND ($only = 'any' OR token IN (SELECT agent FROM listed_agents))
),
sites_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        n.agent,
        sum(s.weight) AS sites,
        sum(CASE WHEN n.is_written THEN s.weight ELSE -s.weight END + s.weight_slack) AS written_majority
    FROM stratum_bodies AS s
    JOIN named_agents AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, n.agent
),
ranked_agents AS (
    SELECT
        s.stratum,
        s.agent,
        min(c.crawl_no) AS first_no,
        CAST(row_number() OVER (PARTITION BY s.stratum ORDER BY max(CAST(s.sites AS double) / nullif(t.sites_counted, 0)) DESC NULLS LAST, s.agent) AS bigint) AS place
    FROM sites_by_agent AS s
    JOIN strata AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
    JOIN crawls AS c ON c.crawl = s.crawl
    GROUP BY s.stratum, s.agent
    HAVING '' NOT IN ($tokens) OR $only <> 'any' OR sum(s.written_majority) >= 0
),
agent_shares AS (
    SELECT
        s.crawl,
        c.crawl_no,
        s.stratum,
        r.place,
        r.agent,
        f.crawl AS first_crawl,
        coalesce(b.sites, 0) AS sites,
        s.sites_counted,
        CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share
    FROM ranked_agents AS r
    JOIN crawls AS f ON f.crawl_no = r.first_no
    JOIN strata AS s ON s.stratum = r.stratum
    JOIN crawls AS c ON c.crawl = s.crawl
    LEFT JOIN sites_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = r.agent
    WHERE r.place <= $top
)
SELECT
    crawl,
    stratum,
    agent,
    first_crawl,
    sites,
    sites_counted,
    share,
    share - lag(share) OVER (PARTITION BY stratum, agent ORDER BY crawl_no) AS share_gained
FROM agent_shares
ORDER BY stratum, place, crawl_no
