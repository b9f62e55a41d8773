-- title: AI agents blocked, by top-level domain, rank or category
-- id: E05
-- question: In which top-level domains, ranks or categories do most sites block AI agents?
-- grain: one row per crawl and stratum
-- reads: strata, voices, voice_blocking, agents
-- parameter: by = tld
-- parameter: least number = 20, sites: omits strata with fewer sites
-- caveat: Ranks and categories are the user's own lists (--table ranks=FILE, --table categories=FILE). Without a list, all sites are in one stratum.
-- caveat: A top-level domain is not a country; docs/definitions.md explains strata.
WITH ai_agents AS (
    SELECT lower(token) AS agent FROM agents WHERE is_ai AND tracked
),
blocking_voices AS (
    SELECT
        crawl,
        voice_id,
        count(*) AS agents,
        sum(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM voice_blocking
    WHERE blocked AND agent IN (SELECT agent FROM ai_agents)
    GROUP BY crawl, voice_id
),
blocks_by_stratum AS (
    SELECT
        v.crawl,
        v.stratum,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(v.weight * b.agents_by_name) AS blocks_by_name
    FROM voices AS v
    JOIN blocking_voices AS b ON b.crawl = v.crawl AND b.voice_id = v.voice_id
    GROUP BY v.crawl, v.stratum
)
SELECT
    s.crawl,
    s.stratum,
    $by AS split_by,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    s.sites_counted,
    coalesce(b.sites, 0) / nullif(s.sites_counted, 0) AS share,
    coalesce(b.sites_by_name, 0) / nullif(s.sites_counted, 0) AS share_by_name,
    b.blocks_by_name / nullif(b.sites_by_name, 0) AS mean_agents_by_name
FROM strata AS s
LEFT JOIN blocks_by_stratum AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
WHERE s.sites_counted >= $least
ORDER BY s.crawl, round(s.sites_counted, 6) DESC, s.stratum
