-- title: AI agents blocked, by top-level domain, rank or category
-- id: E05
-- question: Where on the web are AI agents blocked most?
-- grain: one row per crawl and stratum
-- reads: strata, voices, voice_blocking, agents
-- parameter: by one of none tld rank rank-cumulative category = tld, stratum: what the answer is split by
-- parameter: least number = 20, sites: strata with fewer are left out
-- caveat: ranks and categories are the user's own lists (--table ranks=FILE, --table categories=FILE); without one all sites are in one stratum
-- caveat: a top-level domain is no country; see docs/definitions.md on strata
WITH ai AS (
    SELECT lower(token) AS agent FROM agents WHERE is_ai AND tracked
),
blocking_voice AS (
    SELECT
        crawl,
        voice_id,
        count(*) AS agents,
        sum(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM voice_blocking
    WHERE blocked AND agent IN (SELECT agent FROM ai)
    GROUP BY crawl, voice_id
),
told AS (
    SELECT
        p.crawl,
        p.stratum,
        sum(p.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN p.weight ELSE 0 END) AS sites_by_name,
        sum(p.weight * b.agents_by_name) AS blocks_by_name
    FROM voices AS p
    JOIN blocking_voice AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    GROUP BY p.crawl, p.stratum
)
SELECT
    c.crawl,
    c.stratum,
    $by AS split_by,
    coalesce(t.sites, 0) AS sites,
    coalesce(t.sites_by_name, 0) AS sites_by_name,
    c.sites_counted,
    coalesce(t.sites, 0) / nullif(c.sites_counted, 0) AS share,
    coalesce(t.sites_by_name, 0) / nullif(c.sites_counted, 0) AS share_by_name,
    t.blocks_by_name / nullif(t.sites_by_name, 0) AS mean_agents_by_name
FROM strata AS c
LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
WHERE c.sites_counted >= $least
ORDER BY c.crawl, c.sites_counted DESC, c.stratum
