-- title: AI agents blocked, one by one, by purpose
-- id: E02
-- question: Which AI agents of each purpose do the most sites block, and how does that change between crawls?
-- grain: one row per crawl, stratum, purpose and agent that a site names in the crawl or in an earlier one, the purpose of the most blocked agent first
-- reads: strata, stratum_classes, class_blocking, ai_agent_purposes
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all AI agents
-- parameter: top count = 5, agents: how many agents of each purpose, those with the greatest share of blocks by name in any crawl and stratum first
-- column: purpose: training, dataset, data-provider, search, user-fetch, agent, research, other
-- column: place: the place of the agent in its purpose, from 1, by its greatest share_by_name in any crawl and stratum
-- column: sites_by_name: sites that name and block the agent
-- column: sites: sites that block the agent, by name or not
-- column: share_by_name: sites_by_name divided by sites_counted
-- caveat: The purposes are training, dataset, data-provider, search (AI search), user-fetch, agent (act for a user) and research. An agent with several of them has a row for each. An agent counts as other if all its purposes are others, or if none is known.
-- caveat: Columns with by_name count agents that the file names and blocks. The other columns also count blocks by the wildcard group and, if they are counted, unreachable sites.
-- caveat: An agent has rows for the first crawl in which a site names it and for all later ones.
WITH ai_agents AS (
    SELECT crawl, agent, purpose
    FROM ai_agent_purposes
    WHERE '' IN ($tokens) OR agent IN ($tokens)
),
blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        b.agent,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.match_kind = 'explicit' THEN v.weight ELSE 0 END) AS sites_by_name
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.blocked
    GROUP BY v.crawl, v.stratum, b.agent
),
agent_shares AS (
    SELECT
        s.crawl,
        s.stratum,
        a.purpose,
        a.agent,
        coalesce(b.sites_by_name, 0) AS sites_by_name,
        coalesce(b.sites, 0) AS sites,
        s.sites_counted,
        CAST(coalesce(b.sites_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_by_name,
        CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share
    FROM strata AS s
    JOIN ai_agents AS a ON a.crawl = s.crawl
    LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = a.agent
),
greatest_shares AS (
    SELECT purpose, agent, max(share_by_name) AS greatest_share FROM agent_shares GROUP BY purpose, agent
),
purpose_shares AS (
    SELECT purpose, max(greatest_share) AS greatest_share FROM greatest_shares GROUP BY purpose
),
ranked_agents AS (
    SELECT
        purpose,
        agent,
        CAST(row_number() OVER (PARTITION BY purpose ORDER BY greatest_share DESC NULLS LAST, agent) AS bigint) AS place
    FROM greatest_shares
)
SELECT
    a.crawl,
    a.stratum,
    a.purpose,
    r.place,
    a.agent,
    a.sites_by_name,
    a.sites,
    a.sites_counted,
    a.share_by_name,
    a.share
FROM agent_shares AS a
JOIN ranked_agents AS r ON r.purpose = a.purpose AND r.agent = a.agent
JOIN purpose_shares AS p ON p.purpose = a.purpose
WHERE r.place <= $top
ORDER BY a.crawl, a.stratum, p.greatest_share DESC NULLS LAST, a.purpose, r.place
