-- title: When agents came to be named
-- id: H03
-- question: In which crawl is each agent first named, and what share of sites names it in each crawl since?
-- grain: one row per crawl, stratum and agent, crawls before the first that names it among them
-- reads: strata, stratum_bodies, policies, agents
-- parameter: denominator one of rules read answered decided all = read, sites: which are counted, as in population
-- parameter: agent agent = '', token: this one alone; those most named if it is not said
-- parameter: top integer = 30, agents: how many, those with the greatest share in any crawl first
-- parameter: only one of any tracked ai = any, agents: which are shown: all that are named; those tracked; those of AI
-- caveat: To be named is not to be blocked; a group may allow all.
-- caveat: Crawls choose their hosts anew, so that a share may move without any site having changed; H02 compares the same sites.
-- caveat: first_crawl is the first of the crawls that are here and of the sites that are counted.
WITH wanted AS (
    SELECT DISTINCT lower(token) AS agent
    FROM agents
    WHERE $only = 'tracked' AND tracked OR $only = 'ai' AND is_ai
),
named AS (
    SELECT crawl, body_id, token AS agent
    FROM policies
    WHERE token <> '*'
        AND (is_written OR $agent <> '' OR $only <> 'any')
        AND ($agent = '' OR token = $agent)
        AND ($only = 'any' OR token IN (SELECT agent FROM wanted))
),
counted AS (
    SELECT s.crawl, s.stratum, n.agent, sum(s.weight) AS sites
    FROM named AS n
    JOIN stratum_bodies AS s ON s.crawl = n.crawl AND s.body_id = n.body_id
    GROUP BY s.crawl, s.stratum, n.agent
),
ranked AS (
    SELECT
        c.stratum,
        c.agent,
        min(c.crawl) AS first_crawl,
        CAST(row_number() OVER (PARTITION BY c.stratum ORDER BY max(c.sites / nullif(t.sites_counted, 0)) DESC, c.agent) AS bigint) AS place
    FROM counted AS c
    JOIN strata AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
    GROUP BY c.stratum, c.agent
),
shown AS (
    SELECT
        t.crawl,
        t.stratum,
        r.place,
        r.agent,
        r.first_crawl,
        coalesce(c.sites, 0) AS sites,
        t.sites_counted,
        coalesce(c.sites, 0) / nullif(t.sites_counted, 0) AS share
    FROM ranked AS r
    JOIN strata AS t ON t.stratum = r.stratum
    LEFT JOIN counted AS c ON c.crawl = t.crawl AND c.stratum = t.stratum AND c.agent = r.agent
    WHERE r.place <= $top
)
SELECT
    crawl,
    stratum,
    agent,
    first_crawl,
    sites,
    sites_counted,
    share,
    share - lag(share) OVER (PARTITION BY stratum, agent ORDER BY crawl) AS share_gained
FROM shown
ORDER BY stratum, place, crawl
