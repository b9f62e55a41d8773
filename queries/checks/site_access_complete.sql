-- title: Sites and agents that the access of sites lacks, or has one too many of
-- grain: one row per crawl and site or agent whose rows are not as many as they should be
-- reads: sites, site_access, agents
WITH asked AS (
    SELECT '*' AS agent
    UNION
    SELECT lower(token) AS agent FROM agents WHERE tracked
),
agents_asked AS (
    SELECT count(*) AS agents FROM asked
),
sites_of_crawl AS (
    SELECT crawl, count(*) AS sites FROM sites GROUP BY crawl
),
by_agent AS (
    SELECT crawl, agent, count(*) AS found FROM site_access GROUP BY crawl, agent
),
by_agent_expected AS (
    SELECT c.crawl, a.agent, c.sites AS expected
    FROM sites_of_crawl AS c
    CROSS JOIN asked AS a
),
by_site AS (
    SELECT crawl, site_id, count(*) AS found FROM site_access GROUP BY crawl, site_id
),
by_site_expected AS (
    SELECT s.crawl, s.site_id, a.agents AS expected
    FROM sites AS s
    CROSS JOIN agents_asked AS a
),
compared AS (
    SELECT
        coalesce(e.crawl, f.crawl) AS crawl,
        CAST(NULL AS bigint) AS site_id,
        coalesce(e.agent, f.agent) AS agent,
        coalesce(e.expected, 0) AS expected,
        coalesce(f.found, 0) AS found
    FROM by_agent_expected AS e
    FULL JOIN by_agent AS f ON f.crawl = e.crawl AND f.agent = e.agent
    UNION ALL
    SELECT
        coalesce(e.crawl, f.crawl) AS crawl,
        coalesce(e.site_id, f.site_id) AS site_id,
        CAST(NULL AS varchar) AS agent,
        coalesce(e.expected, 0) AS expected,
        coalesce(f.found, 0) AS found
    FROM by_site_expected AS e
    FULL JOIN by_site AS f ON f.crawl = e.crawl AND f.site_id = e.site_id
)
SELECT crawl, site_id, agent, expected, found
FROM compared
WHERE expected <> found
ORDER BY crawl, site_id, agent
