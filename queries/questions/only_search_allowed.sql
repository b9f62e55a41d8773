-- title: Sites that allow only search engines
-- id: D08
-- question: How many sites block unnamed crawlers and allow search engines?
-- grain: one row per crawl and stratum
-- reads: strata, stratum_classes, class_blocking, agents
-- parameter: purpose purpose = search, purpose: the purpose of the allowed agents, as in the column purposes of agents
-- column: sites_blocking: sites that block unnamed crawlers (*)
-- column: sites_blocking_all: of sites_blocking, those that allow no tracked agent
-- column: sites: of sites_blocking, those that allow a tracked agent with the purpose of --purpose
-- column: sites_only: of these sites, those that allow no tracked agent without this purpose
-- column: sites_only_one: of sites_only, those that allow exactly one agent
-- column: share_only: sites_only divided by sites_counted
-- column: share_only_of_blocking: sites_only divided by sites_blocking; null if sites_blocking is 0
-- caveat: Only tracked agents are considered; a site may allow others. Allowed means not blocked: partly blocked agents count as allowed.
-- caveat: An agent for both search and training counts as one for search. sites_blocking block unnamed crawlers, sites_blocking_all also every tracked agent.
WITH purpose_agents AS (
    SELECT token AS agent
    FROM agents
    WHERE tracked AND strpos(' ' || purposes || ' ', ' ' || $purpose || ' ') > 0
),
blocking_classes AS (
    SELECT v.crawl, v.stratum, v.blocking_class_id, v.weight
    FROM stratum_classes AS v
    JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.agent = '*' AND b.blocked
),
-- Where * is blocked, only an agent with a verdict of its own can be allowed.
allowed_agents AS (
    SELECT
        b.crawl,
        b.blocking_class_id,
        count(p.agent) AS allowed,
        count(*) - count(p.agent) AS others_allowed
    FROM class_blocking AS b
    LEFT JOIN purpose_agents AS p ON p.agent = b.agent
    WHERE NOT b.blocked AND b.has_own_verdict
    GROUP BY b.crawl, b.blocking_class_id
),
classes_by_allowed AS (
    SELECT v.crawl, v.stratum, v.weight, coalesce(a.allowed, 0) AS allowed, coalesce(a.others_allowed, 0) AS others_allowed
    FROM blocking_classes AS v
    LEFT JOIN allowed_agents AS a ON a.crawl = v.crawl AND a.blocking_class_id = v.blocking_class_id
),
blocking_totals AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_blocking,
        sum(CASE WHEN allowed = 0 AND others_allowed = 0 THEN weight ELSE 0 END) AS sites_blocking_all,
        sum(CASE WHEN allowed > 0 THEN weight ELSE 0 END) AS sites,
        sum(CASE WHEN allowed > 0 AND others_allowed = 0 THEN weight ELSE 0 END) AS sites_only,
        sum(CASE WHEN allowed = 1 AND others_allowed = 0 THEN weight ELSE 0 END) AS sites_only_one
    FROM classes_by_allowed
    GROUP BY crawl, stratum
)
SELECT
    s.crawl,
    s.stratum,
    coalesce(b.sites_blocking, 0) AS sites_blocking,
    coalesce(b.sites_blocking_all, 0) AS sites_blocking_all,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_only, 0) AS sites_only,
    coalesce(b.sites_only_one, 0) AS sites_only_one,
    s.sites_counted,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(coalesce(b.sites_only, 0) AS double) / nullif(s.sites_counted, 0) AS share_only,
    CAST(b.sites_only AS double) / nullif(b.sites_blocking, 0) AS share_only_of_blocking
FROM strata AS s
LEFT JOIN blocking_totals AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
ORDER BY s.crawl, s.stratum
