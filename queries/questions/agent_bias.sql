-- title: Agents blocked more or less often than unnamed crawlers
-- id: D06
-- question: Do more sites block an agent than block unnamed crawlers, or fewer?
-- grain: one row per crawl, stratum and agent
-- reads: strata, stratum_classes, class_blocking, agents
-- parameter: tokens = ''
-- parameter: top count = 100, agents: how many agents per crawl and stratum, those with the greatest difference first, in either direction
-- parameter: least count = 1, sites: omits agents that fewer sites treat differently from unnamed crawlers
-- column: sites: sites that block the agent, by name or not
-- column: sites_wildcard: sites that block unnamed crawlers (*)
-- column: share_wildcard: sites_wildcard divided by sites_counted
-- column: ratio: sites divided by sites_wildcard; null if sites_wildcard is 0
-- column: log_ratio: logarithm of ratio, base 2; null if sites or sites_wildcard is 0
-- column: sites_favouring: sites that block unnamed crawlers (*), but not the agent
-- column: sites_penalising: sites that block the agent, but not unnamed crawlers (*)
-- caveat: ratio is the number of sites that block the agent, by name or by the wildcard group, divided by the number that block unnamed crawlers (*). log_ratio is its logarithm to the base 2: 1 is twice as many, -1 half as many. sites_favouring block * but not the agent, sites_penalising the agent but not *.
-- caveat: The definitions d1, d2, d3 and d7 count named agents only, so they have no ratio.
WITH wildcard_classes AS (
    SELECT v.crawl, v.stratum, v.blocking_class_id, v.weight, v.sites, b.blocked
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.agent = '*'
),
wildcard_totals AS (
    SELECT crawl, stratum, sum(CASE WHEN blocked THEN weight ELSE 0 END) AS sites_wildcard FROM wildcard_classes GROUP BY crawl, stratum
),
-- Any other agent has the verdict of *.
own_verdicts AS (
    SELECT crawl, blocking_class_id, agent, blocked
    FROM class_blocking
    WHERE agent <> '*' AND has_own_verdict
),
-- How the sites that block an agent differ from those that block *.
changes_by_agent AS (
    SELECT
        w.crawl,
        w.stratum,
        o.agent,
        sum(CASE WHEN o.blocked AND NOT w.blocked THEN w.weight ELSE 0 END) AS sites_penalising,
        sum(CASE WHEN w.blocked AND NOT o.blocked THEN w.weight ELSE 0 END) AS sites_favouring,
        sum(CASE WHEN o.blocked = w.blocked THEN 0 ELSE w.sites END) AS unweighted_sites
    FROM wildcard_classes AS w
    JOIN own_verdicts AS o ON o.crawl = w.crawl AND o.blocking_class_id = w.blocking_class_id
    GROUP BY w.crawl, w.stratum, o.agent
),
chosen_agents AS (
    SELECT token AS agent FROM agents WHERE tracked AND ('' IN ($tokens) OR token IN ($tokens))
),
agent_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        s.sites_counted,
        coalesce(o.sites_wildcard, 0) AS sites_wildcard,
        coalesce(o.sites_wildcard, 0) + coalesce(c.sites_penalising, 0) - coalesce(c.sites_favouring, 0) AS sites,
        coalesce(c.sites_penalising, 0) AS sites_penalising,
        coalesce(c.sites_favouring, 0) AS sites_favouring,
        coalesce(c.unweighted_sites, 0) AS unweighted_sites
    FROM strata AS s
    CROSS JOIN chosen_agents AS t
    LEFT JOIN wildcard_totals AS o ON o.crawl = s.crawl AND o.stratum = s.stratum
    LEFT JOIN changes_by_agent AS c ON c.crawl = s.crawl AND c.stratum = s.stratum AND c.agent = t.agent
),
agent_differences AS (
    SELECT
        *,
        sites_penalising - sites_favouring AS difference,
        abs(sites_penalising - sites_favouring) AS distance
    FROM agent_totals
    WHERE unweighted_sites >= $least
),
ranked_agents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY distance DESC, sites DESC, agent) AS bigint) AS place
    FROM agent_differences
)
SELECT
    crawl,
    stratum,
    agent,
    sites,
    sites_wildcard,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_wildcard AS double) / nullif(sites_counted, 0) AS share_wildcard,
    CAST(sites AS double) / nullif(sites_wildcard, 0) AS ratio,
    -- Rounded, since the last digit of a logarithm differs between engines.
    round(log2(CAST(nullif(sites, 0) AS double) / nullif(sites_wildcard, 0)), 12) AS log_ratio,
    sites_favouring,
    sites_penalising
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, difference DESC, sites DESC, agent
