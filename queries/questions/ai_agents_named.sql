-- title: AI agents named per site
-- id: E10
-- question: How many AI agents does a site name, and how many sites name all major ones?
-- grain: one row per crawl and stratum
-- reads: population, class_verdicts, agents
-- parameter: tokens = 'GPTBot, ChatGPT-User, OAI-SearchBot, ClaudeBot, Google-Extended, PerplexityBot, CCBot, Bytespider, meta-externalagent, Amazonbot, Applebot-Extended': the major agents
-- column: sites: sites that name at least one AI agent
-- column: mean_agents: AI agents that a site names, on average over all counted sites
-- column: mean_agents_if_any: AI agents that a site names, on average over the sites that name one; null if sites is 0
-- column: quantile_25: the smallest number of AI agents that at least 25 % of the sites that name one do not exceed; null if sites is 0
-- column: median: the smallest number of AI agents that at least 50 % of the sites that name one do not exceed; null if sites is 0
-- column: quantile_75: the smallest number of AI agents that at least 75 % of the sites that name one do not exceed; null if sites is 0
-- column: quantile_90: the smallest number of AI agents that at least 90 % of the sites that name one do not exceed; null if sites is 0
-- column: quantile_99: the smallest number of AI agents that at least 99 % of the sites that name one do not exceed; null if sites is 0
-- column: most: the most AI agents that a counted site names; null if no site names one
-- column: majors: how many major agents there are (--tokens)
-- column: sites_all_majors: sites that name all major agents
-- column: share_all_majors: sites_all_majors divided by sites_counted
-- caveat: A site names an agent if a user-agent line does, whatever its rules. AI agents are the agents that agents.csv lists as AI, if they are tracked or in tokens. A named agent need not be blocked.
-- caveat: Quantiles and mean_agents_if_any are over the sites that name an AI agent, and null if sites is 0; mean_agents is over all counted sites. A quantile is the smallest number that at least that share of these sites does not exceed.
-- caveat: A site without a file names no agent. Many files are copies of lists, so a high number says little about a site; list_fingerprint shows the lists.
WITH chosen_agents AS (
    SELECT
        token AS agent,
        CASE WHEN is_ai THEN 1 ELSE 0 END AS ai,
        CASE WHEN token IN ($tokens) THEN 1 ELSE 0 END AS major
    FROM agents
    WHERE tracked
),
major_count AS (
    SELECT sum(major) AS majors FROM chosen_agents
),
named_agents AS (
    SELECT v.crawl, v.class_id, sum(c.ai) AS agents, sum(c.major) AS majors
    FROM class_verdicts AS v
    JOIN chosen_agents AS c ON c.agent = v.agent
    WHERE v.match_kind = 'explicit'
    GROUP BY v.crawl, v.class_id
),
sites_by_class AS (
    SELECT crawl, stratum, class_id, sum(weight) AS sites, sum(weight_slack) AS weight_slack FROM population GROUP BY crawl, stratum, class_id
),
sites_by_number AS (
    SELECT
        s.crawl,
        s.stratum,
        coalesce(n.agents, 0) AS agents,
        sum(s.sites) AS sites,
        sum(CASE WHEN n.agents > 0 THEN s.weight_slack ELSE 0 END) AS weight_slack,
        sum(CASE WHEN n.majors = m.majors AND m.majors > 0 THEN s.sites ELSE 0 END) AS sites_all_majors
    FROM sites_by_class AS s
    CROSS JOIN major_count AS m
    LEFT JOIN named_agents AS n ON n.crawl = s.crawl AND n.class_id = s.class_id
    GROUP BY s.crawl, s.stratum, coalesce(n.agents, 0)
),
cumulative_sites AS (
    SELECT
        *,
        sum(CASE WHEN agents > 0 THEN sites ELSE 0 END) OVER (
            PARTITION BY crawl, stratum ORDER BY agents ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS sites_so_far,
        sum(CASE WHEN agents > 0 THEN sites ELSE 0 END) OVER (PARTITION BY crawl, stratum) AS sites_naming,
        sum(weight_slack) OVER (PARTITION BY crawl, stratum) AS slack
    FROM sites_by_number
),
-- Rounding must not move an exact boundary. At most half of the rest counts, so that the quantile 1 stays exact.
cumulative_shares AS (
    SELECT *, CAST(sites_so_far + least(slack, (sites_naming - sites_so_far) / 2) AS double) / nullif(sites_naming, 0) AS share_so_far
    FROM cumulative_sites
)
SELECT
    c.crawl,
    c.stratum,
    sum(CASE WHEN c.agents > 0 THEN c.sites ELSE 0 END) AS sites,
    sum(c.sites) AS sites_counted,
    CAST(sum(CASE WHEN c.agents > 0 THEN c.sites ELSE 0 END) AS double) / nullif(sum(c.sites), 0) AS share,
    CAST(sum(c.agents * c.sites) AS double) / nullif(sum(c.sites), 0) AS mean_agents,
    CAST(sum(c.agents * c.sites) AS double) / nullif(max(c.sites_naming), 0) AS mean_agents_if_any,
    min(CASE WHEN c.share_so_far >= 0.25 THEN c.agents END) AS quantile_25,
    min(CASE WHEN c.share_so_far >= 0.5 THEN c.agents END) AS median,
    min(CASE WHEN c.share_so_far >= 0.75 THEN c.agents END) AS quantile_75,
    min(CASE WHEN c.share_so_far >= 0.9 THEN c.agents END) AS quantile_90,
    min(CASE WHEN c.share_so_far >= 0.99 THEN c.agents END) AS quantile_99,
    max(CASE WHEN c.agents > 0 THEN c.agents END) AS most,
    max(m.majors) AS majors,
    sum(c.sites_all_majors) AS sites_all_majors,
    CAST(sum(c.sites_all_majors) AS double) / nullif(sum(c.sites), 0) AS share_all_majors
FROM cumulative_shares AS c
CROSS JOIN major_count AS m
GROUP BY c.crawl, c.stratum
ORDER BY c.crawl, c.stratum
