-- title: Agents blocked
-- id: D03
-- question: What share of sites blocks each agent, partly blocks it, or allows it?
-- grain: one row per crawl, stratum and agent
-- reads: population, stratum_classes, class_blocking, tracked_agents
-- parameter: tokens = ''
-- parameter: top count = 30, agents: how many agents, those that the most sites block by name first, and * besides
-- column: sites_by_name: sites that name and block the agent
-- column: sites: sites that block the agent, by name or not
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: share_not_by_name: sites minus sites_by_name, divided by sites_counted
-- column: sites_none: sites that allow the agent no path
-- column: sites_part: sites that allow the agent some paths but not all
-- column: sites_all: sites that allow the agent all paths
-- column: sites_unknown: counted sites about which nothing is known; 0 unless --denominator is all
-- column: share_none: sites_none divided by sites_counted
-- column: share_part: sites_part divided by sites_counted
-- column: share_all: sites_all divided by sites_counted
-- caveat: This is what files ask of crawlers. It does not show whether crawlers comply, or whether servers refuse them.
-- caveat: sites_by_name counts only sites that block the agent in a group that names it, not those that block it by the wildcard group.
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
-- The verdict of * on each class. It counts for every agent without a verdict of its own.
wildcard_classes AS (
    SELECT v.crawl, v.stratum, v.blocking_class_id, v.weight, b.blocked, b.access
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.agent = '*'
),
wildcard_totals AS (
    SELECT
        crawl,
        stratum,
        sum(CASE WHEN blocked THEN weight ELSE 0 END) AS sites,
        sum(CASE WHEN access = 'none' THEN weight ELSE 0 END) AS sites_none,
        sum(CASE WHEN access = 'part' THEN weight ELSE 0 END) AS sites_part,
        sum(CASE WHEN access = 'all' THEN weight ELSE 0 END) AS sites_all
    FROM wildcard_classes
    GROUP BY crawl, stratum
),
-- What changes in these totals for an agent by the classes that have a verdict of its own for it.
named_changes AS (
    SELECT
        w.crawl,
        w.stratum,
        b.agent,
        sum(CASE WHEN b.blocked AND b.match_kind = 'explicit' THEN w.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.blocked THEN w.weight ELSE 0 END - CASE WHEN w.blocked THEN w.weight ELSE 0 END) AS sites,
        sum(CASE b.access WHEN 'none' THEN w.weight ELSE 0 END - CASE w.access WHEN 'none' THEN w.weight ELSE 0 END) AS sites_none,
        sum(CASE b.access WHEN 'part' THEN w.weight ELSE 0 END - CASE w.access WHEN 'part' THEN w.weight ELSE 0 END) AS sites_part,
        sum(CASE b.access WHEN 'all' THEN w.weight ELSE 0 END - CASE w.access WHEN 'all' THEN w.weight ELSE 0 END) AS sites_all
    FROM wildcard_classes AS w
    JOIN class_blocking AS b ON b.crawl = w.crawl AND b.blocking_class_id = w.blocking_class_id
    WHERE b.has_own_verdict AND ('' IN ($tokens) OR b.agent IN ($tokens))
    GROUP BY w.crawl, w.stratum, b.agent
),
-- The sites of a stratum may all be without a known verdict, so that it has no class here.
strata_and_agents AS (
    SELECT k.crawl, k.stratum, t.agent
    FROM known_strata AS k
    JOIN tracked_agents AS t ON t.crawl = k.crawl
    WHERE '' IN ($tokens) OR t.agent = '*' OR t.agent IN ($tokens)
),
sites_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        s.agent,
        coalesce(n.sites_by_name, 0) AS sites_by_name,
        coalesce(w.sites, 0) + coalesce(n.sites, 0) AS sites,
        coalesce(w.sites_none, 0) + coalesce(n.sites_none, 0) AS sites_none,
        coalesce(w.sites_part, 0) + coalesce(n.sites_part, 0) AS sites_part,
        coalesce(w.sites_all, 0) + coalesce(n.sites_all, 0) AS sites_all
    FROM strata_and_agents AS s
    LEFT JOIN wildcard_totals AS w ON w.crawl = s.crawl AND w.stratum = s.stratum
    LEFT JOIN named_changes AS n ON n.crawl = s.crawl AND n.stratum = s.stratum AND n.agent = s.agent
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
            ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, sites_by_name_of_all DESC, sites_of_all DESC, agent
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
WHERE r.place - 1 <= $top
ORDER BY
    r.crawl,
    r.stratum,
    CASE r.agent WHEN '*' THEN 0 ELSE 1 END,
    r.sites_by_name DESC,
    r.sites DESC,
    r.agent
