-- title: Agents blocked
-- id: D03
-- question: What share of sites blocks each agent, partly blocks it, or allows it?
-- grain: one row per crawl, stratum and agent
-- reads: population, stratum_classes, class_blocking
-- parameter: tokens = ''
-- parameter: top count = 30, agents: how many agents, those that the most sites block by name first, and * besides
-- caveat: This is what files ask of crawlers. It does not show whether crawlers comply, or whether servers refuse them.
-- caveat: sites_by_name counts sites that block the agent in a group that names it. sites also counts blocks by the wildcard group.
-- caveat: The agent * stands for every crawler that a file does not name. The wildcard group applies to it.
-- caveat: Servers may send other crawlers another file.
WITH known_strata AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE WHEN outcome IN ('redirect_unresolved', 'no_capture') THEN weight ELSE 0 END) AS sites_unknown
    FROM population
    GROUP BY crawl, stratum
),
sites_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        b.agent,
        sum(CASE WHEN b.blocked AND b.match_kind = 'explicit' THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.blocked THEN v.weight ELSE 0 END) AS sites,
        sum(CASE WHEN b.access = 'none' THEN v.weight ELSE 0 END) AS sites_none,
        sum(CASE WHEN b.access = 'part' THEN v.weight ELSE 0 END) AS sites_part,
        sum(CASE WHEN b.access = 'all' THEN v.weight ELSE 0 END) AS sites_all
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE '' IN ($tokens)
        OR b.agent = '*'
        OR b.agent IN ($tokens)
    GROUP BY v.crawl, v.stratum, b.agent
),
agent_totals AS (
    SELECT
        *,
        sum(sites_by_name) OVER (PARTITION BY agent) AS sites_by_name_of_all,
        sum(sites) OVER (PARTITION BY agent) AS sites_of_all
    FROM sites_by_agent
),
ranked_agents AS (
    SELECT
        *,
        CAST(dense_rank() OVER (
            ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, round(sites_by_name_of_all, 6) DESC, round(sites_of_all, 6) DESC, agent
        ) AS bigint) AS place
    FROM agent_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    r.sites_by_name,
    r.sites,
    k.sites_counted,
    CAST(r.sites_by_name AS double) / nullif(k.sites_counted, 0) AS share_by_name,
    CAST(r.sites - r.sites_by_name AS double) / nullif(k.sites_counted, 0) AS share_not_by_name,
    CAST(r.sites AS double) / nullif(k.sites_counted, 0) AS share,
    r.sites_none,
    r.sites_part,
    r.sites_all,
    k.sites_unknown,
    CAST(r.sites_none AS double) / nullif(k.sites_counted, 0) AS share_none,
    CAST(r.sites_part AS double) / nullif(k.sites_counted, 0) AS share_part,
    CAST(r.sites_all AS double) / nullif(k.sites_counted, 0) AS share_all
FROM ranked_agents AS r
JOIN known_strata AS k ON k.crawl = r.crawl AND k.stratum = r.stratum
WHERE r.place <= $top + 1
ORDER BY
    r.crawl,
    r.stratum,
    CASE r.agent WHEN '*' THEN 0 ELSE 1 END,
    round(r.sites_by_name, 6) DESC,
    round(r.sites, 6) DESC,
    r.agent
