-- title: Agents allowed by name
-- id: D07
-- question: Which agents do files name only to let them in everywhere?
-- grain: one row per crawl, stratum and agent
-- reads: strata, population, site_access
-- parameter: top integer = 50, agents: how many for each crawl and stratum, those let in by most sites first
-- caveat: a group without a rule that refuses anything lets an agent in; with an allow line it says so, with an empty disallow line or none at all it may be an oversight
-- caveat: the allowance gives the agent something only where the star is refused something
WITH star AS (
    SELECT crawl, site_id, access FROM site_access WHERE agent = '*' AND access <> 'all'
),
told AS (
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
    LEFT JOIN star AS s ON s.crawl = a.crawl AND s.site_id = a.site_id
    WHERE a.match_kind = 'explicit' AND a.agent <> '*'
    GROUP BY p.crawl, p.stratum, a.agent
),
placed AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, sites_named, agent) AS bigint) AS place FROM told
)
SELECT
    p.crawl,
    p.stratum,
    p.agent,
    p.sites,
    p.sites_named,
    c.sites_counted,
    p.sites / nullif(c.sites_counted, 0) AS share,
    p.sites / nullif(p.sites_named, 0) AS share_of_named,
    p.sites_with_allow,
    p.sites_beyond_star,
    p.sites_closed_to_star
FROM placed AS p
JOIN strata AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
WHERE p.place <= $top AND p.sites > 0
ORDER BY p.crawl, p.stratum, p.place
