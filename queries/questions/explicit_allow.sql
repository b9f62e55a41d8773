-- title: Agents allowed by name
-- id: D07
-- question: Which agents are named only to be allowed everywhere?
-- grain: one row per crawl, stratum and agent
-- reads: strata, population, class_verdicts
-- parameter: tokens = ''
-- parameter: top count = 50, agents: how many agents per crawl and stratum, those with the most sites first
-- column: sites: sites whose file names the agent and allows it all paths
-- column: sites_named: sites whose file names the agent
-- column: share_of_named: sites divided by sites_named
-- column: sites_with_allow: of these sites, those with an allow line for the agent
-- column: sites_beyond_wildcard: of these sites, those whose wildcard group disallows some or all paths
-- column: sites_blocking_wildcard: of these sites, those whose wildcard group allows no path
-- caveat: An agent has a row only if a counted site with a weight names it and allows it all paths.
-- caveat: A group that disallows nothing allows the agent everywhere. An allow line is a clear statement. An empty disallow line, or a group without rules, may be an oversight.
-- caveat: The agent gains something only where the wildcard group disallows something: see sites_beyond_wildcard and sites_blocking_wildcard.
WITH class_weights AS (
    SELECT crawl, stratum, class_id, sum(weight) AS weight FROM population GROUP BY crawl, stratum, class_id
),
wildcard_access AS (
    SELECT crawl, class_id, access FROM class_verdicts WHERE agent = '*' AND access <> 'all'
),
sites_by_agent AS (
    SELECT
        w.crawl,
        w.stratum,
        v.agent,
        sum(w.weight) AS sites_named,
        sum(CASE WHEN v.access = 'all' THEN w.weight ELSE 0 END) AS sites,
        sum(CASE WHEN v.access = 'all' AND v.has_allow_rules THEN w.weight ELSE 0 END) AS sites_with_allow,
        sum(CASE WHEN v.access = 'all' AND s.class_id IS NOT NULL THEN w.weight ELSE 0 END) AS sites_beyond_wildcard,
        sum(CASE WHEN v.access = 'all' AND s.access = 'none' THEN w.weight ELSE 0 END) AS sites_blocking_wildcard
    FROM class_weights AS w
    JOIN class_verdicts AS v ON v.crawl = w.crawl AND v.class_id = w.class_id
    LEFT JOIN wildcard_access AS s ON s.crawl = v.crawl AND s.class_id = v.class_id
    WHERE v.match_kind = 'explicit' AND ('' IN ($tokens) OR v.agent IN ($tokens))
    GROUP BY w.crawl, w.stratum, v.agent
),
ranked_agents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, sites_named, agent) AS bigint) AS place FROM sites_by_agent
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    r.sites,
    r.sites_named,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(r.sites AS double) / nullif(r.sites_named, 0) AS share_of_named,
    r.sites_with_allow,
    r.sites_beyond_wildcard,
    r.sites_blocking_wildcard
FROM ranked_agents AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place <= $top AND r.sites > 0
ORDER BY r.crawl, r.stratum, r.place
