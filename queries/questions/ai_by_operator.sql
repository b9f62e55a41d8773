-- title: AI agents blocked, by operator
-- id: E03
-- question: Which operators' AI agents do the most sites block: at least one agent, or all of them?
-- grain: one row per crawl, stratum and operator
-- reads: strata, stratum_classes, ai_blocking, known_ai_agents
-- parameter: top count = 30, operators: how many operators, those with the most sites that block an agent by name first
-- column: operator: the operator of AI agents
-- column: agents: tracked AI agents of the operator that some site names in this crawl or an earlier one
-- column: sites_by_name: sites that name and block at least one of these agents
-- column: sites: sites that block at least one of these agents, by name or not
-- column: sites_all: sites that block all of these agents, by name or not
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: share_all: sites_all divided by sites_counted
-- caveat: Columns with by_name count agents that the file names and blocks. The other columns also count blocks by the wildcard group and, if they are counted, unreachable sites.
-- caveat: An operator with more agents is more likely to have one blocked. The column agents counts its tracked AI agents, each in the first crawl in which a site names it and in all later ones.
-- caveat: Agents without a known operator are omitted.
WITH operators AS (
    SELECT crawl, operator, count(*) AS agents FROM known_ai_agents WHERE operator <> '' GROUP BY crawl, operator
),
blocking_classes AS (
    SELECT crawl, blocking_class_id, operator, count(*) AS agents, sum(is_by_name) AS agents_by_name
    FROM ai_blocking
    WHERE operator <> ''
    GROUP BY crawl, blocking_class_id, operator
),
blocks_by_operator AS (
    SELECT
        v.crawl,
        v.stratum,
        b.operator,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents = o.agents THEN v.weight ELSE 0 END) AS sites_all
    FROM stratum_classes AS v
    JOIN blocking_classes AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    JOIN operators AS o ON o.crawl = b.crawl AND o.operator = b.operator
    GROUP BY v.crawl, v.stratum, b.operator
),
operator_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        o.operator,
        o.agents,
        coalesce(b.sites, 0) AS sites,
        coalesce(b.sites_by_name, 0) AS sites_by_name,
        coalesce(b.sites_all, 0) AS sites_all,
        s.sites_counted,
        sum(coalesce(b.sites_by_name, 0)) OVER (PARTITION BY o.operator) AS sites_by_name_of_all,
        sum(coalesce(b.sites, 0)) OVER (PARTITION BY o.operator) AS sites_of_all
    FROM strata AS s
    JOIN operators AS o ON o.crawl = s.crawl
    LEFT JOIN blocks_by_operator AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.operator = o.operator
),
ranked_operators AS (
    SELECT
        *,
        CAST(dense_rank() OVER (
            ORDER BY sites_by_name_of_all DESC, sites_of_all DESC, operator
        ) AS bigint) AS place
    FROM operator_totals
)
SELECT
    crawl,
    stratum,
    operator,
    agents,
    sites_by_name,
    sites,
    sites_all,
    sites_counted,
    CAST(sites_by_name AS double) / nullif(sites_counted, 0) AS share_by_name,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_all AS double) / nullif(sites_counted, 0) AS share_all
FROM ranked_operators
WHERE place <= $top
ORDER BY crawl, stratum, place
