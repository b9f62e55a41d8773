-- title: Agents blocked more or less often than unnamed crawlers
-- id: D06
-- question: Do more sites block an agent than block unnamed crawlers, or fewer?
-- grain: one row per crawl, stratum and agent
-- reads: strata, stratum_classes, class_blocking, agents
-- parameter: tokens = ''
-- parameter: top count = 100, agents: how many agents per crawl and stratum, most penalised first
-- parameter: least count = 1, sites: omits agents that fewer sites treat differently from unnamed crawlers
-- caveat: ratio is the number of sites that block the agent, by name or by the wildcard group, divided by the number that block unnamed crawlers (*). log_ratio has base 2: 1 is twice as many, -1 half as many. sites_favouring block * but not the agent, sites_penalising the agent but not *.
-- caveat: The definitions d1, d2, d3 and d7 count named agents only, so they have no ratio.
WITH class_blocks AS (
    SELECT v.crawl, v.stratum, v.blocking_class_id, v.weight, b.agent
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.blocked
),
wildcard_blocks AS (
    SELECT crawl, stratum, blocking_class_id, weight FROM class_blocks WHERE agent = '*'
),
wildcard_totals AS (
    SELECT crawl, stratum, sum(weight) AS sites_star FROM wildcard_blocks GROUP BY crawl, stratum
),
-- A site that blocks the agent and * treats them alike.
blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        v.agent,
        sum(v.weight) AS sites,
        sum(CASE WHEN s.blocking_class_id IS NULL THEN v.weight ELSE 0 END) AS sites_penalising
    FROM class_blocks AS v
    LEFT JOIN wildcard_blocks AS s ON s.crawl = v.crawl AND s.stratum = v.stratum AND s.blocking_class_id = v.blocking_class_id
    WHERE v.agent <> '*'
    GROUP BY v.crawl, v.stratum, v.agent
),
chosen_agents AS (
    SELECT lower(token) AS agent FROM agents WHERE tracked AND ('' IN ($tokens) OR lower(token) IN ($tokens))
),
agent_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        s.sites_counted,
        coalesce(o.sites_star, 0) AS sites_star,
        coalesce(b.sites, 0) AS sites,
        coalesce(b.sites_penalising, 0) AS sites_penalising,
        coalesce(o.sites_star, 0) - (coalesce(b.sites, 0) - coalesce(b.sites_penalising, 0)) AS sites_favouring
    FROM strata AS s
    CROSS JOIN chosen_agents AS t
    LEFT JOIN wildcard_totals AS o ON o.crawl = s.crawl AND o.stratum = s.stratum
    LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = t.agent
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY round(sites_penalising - sites_favouring, 6) DESC, round(sites, 6) DESC, agent) AS bigint) AS place
    FROM agent_totals
    WHERE sites_penalising + sites_favouring >= $least
)
SELECT
    crawl,
    stratum,
    agent,
    sites,
    sites_star,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_star AS double) / nullif(sites_counted, 0) AS share_star,
    CAST(sites AS double) / nullif(sites_star, 0) AS ratio,
    log2(CAST(nullif(sites, 0) AS double) / nullif(sites_star, 0)) AS log_ratio,
    sites_favouring,
    sites_penalising
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, place
