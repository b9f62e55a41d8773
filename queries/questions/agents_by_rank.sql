-- title: Agents named, by rank of the site
-- id: D02
-- question: How does the share of sites that name an agent depend on the rank of the site?
-- grain: one row per crawl, stratum and agent
-- reads: stratum_bodies, strata, policies
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named
-- parameter: by = rank
-- parameter: top count = 20, agents: how many agents, those with the most naming sites in all crawls and strata first
-- parameter: rules one of any some = any, naming: which groups count as naming; any: all groups; some: groups with at least one rule
-- column: sites: sites whose file names the agent; with --rules some, in groups with at least one rule
-- caveat: An agent that no site of a stratum names has no row for that stratum. A named agent need not be blocked.
-- caveat: GPTBot Foo also names GPTBot. Without --tokens, a name has a row if it stands alone in a user-agent line on at least half of the sites that name it, in all crawls and strata together. So --crawl can change which names have a row.
-- caveat: Ranks come from the user's table ranks (--table ranks=FILE). Printed SQL without it has all sites unranked.
-- caveat: Strata of ranks exclude one another, cumulative strata contain one another: figures by one cannot be compared with figures by the other.
WITH sites_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        p.token AS agent,
        sum(s.weight) AS sites,
        sum(CASE WHEN p.is_written THEN s.weight ELSE -s.weight END + s.weight_slack) AS written_majority
    FROM stratum_bodies AS s
    JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id
    WHERE ('' IN ($tokens) OR p.token IN ($tokens))
        AND ($rules = 'any' OR p.allow_rules + p.disallow_rules > 0)
    GROUP BY s.crawl, s.stratum, p.token
),
agent_totals AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY agent) AS sites_of_all,
        sum(written_majority) OVER (PARTITION BY agent) AS written_majority_of_all
    FROM sites_by_agent
),
ranked_agents AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY sites_of_all DESC, agent) AS bigint) AS place
    FROM agent_totals
    WHERE '' NOT IN ($tokens) OR written_majority_of_all >= 0
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    r.sites,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share
FROM ranked_agents AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.place, r.stratum
