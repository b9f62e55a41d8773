-- title: Quantiles of crawl delays
-- id: G01
-- question: How long are the crawl delays that files set, from the shortest to the longest?
-- grain: one row per crawl, stratum, agent and quantile; a row without an agent is for any of the chosen agents
-- reads: stratum_delays
-- parameter: denominator = read
-- parameter: tokens = '': which agents, separated by commas or blanks; default: the agents with the most sites
-- parameter: top count = 10, agents: how many agents per crawl and stratum, those with the most sites with a delay first, and the row without an agent besides
-- column: place: the place of the agent in its crawl and stratum, from 1; 0 for any of the chosen agents
-- column: agent: the agent, in lower case, or * for the wildcard group; null for any of the chosen agents
-- column: quantile: a share of sites_with_delay: 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1
-- column: crawl_delay_s: the smallest delay that at least this share of these sites does not exceed, in seconds
-- column: sites_with_delay: sites whose file sets a delay for the agent
-- caveat: A quantile is the smallest delay that at least that share of the sites with a delay does not exceed, without interpolation. 0 is the shortest delay and 1 the longest.
-- caveat: crawl-delay is not part of RFC 9309. If an agent has several delays, the first valid number counts. For any agent, the longest delay of a file counts.
-- caveat: GPTBot Foo also names GPTBot. Without --tokens, a name has a row if it stands alone in a user-agent line on at least half of the sites with a delay for it.
-- caveat: A delay of more than 2,147,483,648 seconds (68 years) counts as 2,147,483,648.
WITH sites_by_delay AS (
    SELECT
        crawl,
        stratum,
        agent,
        crawl_delay_s,
        sum(weight) AS sites,
        sum(weight_slack) AS weight_slack,
        sum(CASE WHEN is_written THEN weight ELSE -weight END + weight_slack) AS written_majority
    FROM stratum_delays
    GROUP BY crawl, stratum, agent, crawl_delay_s
),
cumulative_sites AS (
    SELECT
        *,
        sum(sites) OVER (
            PARTITION BY crawl, stratum, agent ORDER BY crawl_delay_s ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS sites_so_far,
        sum(sites) OVER (PARTITION BY crawl, stratum, agent) AS sites_with_delay,
        sum(weight_slack) OVER (PARTITION BY crawl, stratum, agent) AS slack
    FROM sites_by_delay
),
-- Rounding must not move an exact boundary. At most half of the rest counts, so that the quantile 1 stays exact.
cumulative_shares AS (
    SELECT *, CAST(sites_so_far + least(slack, (sites_with_delay - sites_so_far) / 2) AS double) / nullif(sites_with_delay, 0) AS share_so_far
    FROM cumulative_sites
),
agent_totals AS (
    SELECT crawl, stratum, agent, sum(sites) AS sites_with_delay
    FROM sites_by_delay
    GROUP BY crawl, stratum, agent
    HAVING '' NOT IN ($tokens) OR sum(written_majority) >= 0
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum ORDER BY CASE WHEN agent IS NULL THEN 0 ELSE 1 END, sites_with_delay DESC, agent
        ) AS bigint) - 1 AS place
    FROM agent_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.agent,
    q.quantile,
    min(CASE WHEN c.share_so_far >= q.quantile THEN c.crawl_delay_s END) AS crawl_delay_s,
    r.sites_with_delay
FROM ranked_agents AS r
JOIN cumulative_shares AS c ON c.crawl = r.crawl AND c.stratum = r.stratum AND coalesce(c.agent, '') = coalesce(r.agent, '')
CROSS JOIN (VALUES (0.0), (0.1), (0.25), (0.5), (0.75), (0.9), (0.95), (0.99), (1.0)) AS q (quantile)
WHERE r.place <= $top
GROUP BY r.crawl, r.stratum, r.place, r.agent, q.quantile, r.sites_with_delay
ORDER BY r.crawl, r.stratum, r.place, q.quantile
