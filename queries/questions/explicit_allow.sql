-- title: Agents allowed by name
-- id: D07
-- question: Which agents are named only to be allowed everywhere?
-- grain: one row per crawl, stratum and agent
-- reads: strata, population, site_access
-- parameter: top integer = 50, agents: how many agents per crawl and stratum, most sites first
-- caveat: A group that disallows nothing allows the agent everywhere. An allow line says so. An empty disallow line, or no rule at all, may be an oversight.
-- caveat: This gives the agent something only where the wildcard group disallows something.
WITH star_access AS (
    SELECT crawl, site_id, access FROM site_access WHERE agent = '*' AND access <> 'all'
),
sites_by_agent AS (
    SELECT
        p.crawl,
        p.stratum,
        a.agent,
        sum(p.weight) AS sites_named,
        sum(CASE WHEN a.access = 'all' THEN p.weight ELSE 0 END) AS sites,
        sum(CASE WHEN a.access = 'all' AND a.allow_rules > 0 THEN p.weight ELSE 0 END) AS sites_with_allow,
        sum(CASE WHEN a.access = 'all' AND s.site_id IS NOT NULL THEN p.weight ELSE 0 END) AS sites_beyond_star,
        sum(CASE WHEN a.access = 'all' AND s.access = 'none' THEN p.weight ELSE 0 END) AS sites_closed_to_star
    FROM population AS p
    JOIN site_access AS a ON a.crawl = p.crawl AND a.site_id = p.site_id
    LEFT JOIN star_access AS s ON s.crawl = a.crawl AND s.site_id = a.site_id
    WHERE a.match_kind = 'explicit' AND a.agent <> '*'
    GROUP BY p.crawl, p.stratum, a.agent
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
    r.sites / nullif(s.sites_counted, 0) AS share,
    r.sites / nullif(r.sites_named, 0) AS share_of_named,
    r.sites_with_allow,
    r.sites_beyond_star,
    r.sites_closed_to_star
FROM ranked_agents AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place <= $top AND r.sites > 0
ORDER BY r.crawl, r.stratum, r.place
