-- title: AI agents blocked, by operator
-- id: E03
-- question: Whose AI agents are blocked by most sites, any of them and all of them?
-- grain: one row per crawl, stratum and operator
-- reads: strata, voices, voice_blocking, agents
-- parameter: top integer = 30, operators: how many, those blocked by name by most sites first
-- caveat: an operator with more agents has more to be blocked; agents says how many are tracked
-- caveat: an agent without a known operator is left out
WITH ai AS (
    SELECT lower(token) AS agent, operator FROM agents WHERE is_ai AND tracked AND operator <> ''
),
listed AS (
    SELECT operator, count(*) AS agents FROM ai GROUP BY operator
),
blocking_voice AS (
    SELECT
        b.crawl,
        b.voice_id,
        a.operator,
        count(*) AS agents,
        sum(CASE WHEN b.match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM voice_blocking AS b
    JOIN ai AS a ON a.agent = b.agent
    WHERE b.blocked
    GROUP BY b.crawl, b.voice_id, a.operator
),
told AS (
    SELECT
        p.crawl,
        p.stratum,
        b.operator,
        sum(p.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN p.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents = l.agents THEN p.weight ELSE 0 END) AS sites_all
    FROM voices AS p
    JOIN blocking_voice AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    JOIN listed AS l ON l.operator = b.operator
    GROUP BY p.crawl, p.stratum, b.operator
),
summed AS (
    SELECT
        c.crawl,
        c.stratum,
        l.operator,
        l.agents,
        coalesce(t.sites, 0) AS sites,
        coalesce(t.sites_by_name, 0) AS sites_by_name,
        coalesce(t.sites_all, 0) AS sites_all,
        c.sites_counted,
        sum(coalesce(t.sites_by_name, 0)) OVER (PARTITION BY l.operator) AS sites_by_name_of_all,
        sum(coalesce(t.sites, 0)) OVER (PARTITION BY l.operator) AS sites_of_all
    FROM strata AS c
    CROSS JOIN listed AS l
    LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.operator = l.operator
),
placed AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY sites_by_name_of_all DESC, sites_of_all DESC, operator) AS bigint) AS place FROM summed
)
SELECT
    crawl,
    stratum,
    operator,
    agents,
    sites,
    sites_by_name,
    sites_all,
    sites_counted,
    sites / nullif(sites_counted, 0) AS share,
    sites_by_name / nullif(sites_counted, 0) AS share_by_name,
    sites_all / nullif(sites_counted, 0) AS share_all
FROM placed
WHERE place <= $top
ORDER BY crawl, stratum, place
