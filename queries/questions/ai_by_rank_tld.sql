-- title: AI agents blocked, by top-level domain, rank or category
-- id: E05
-- question: In which top-level domains, ranks or categories is the share of sites that block AI agents greatest?
-- grain: one row per crawl and stratum
-- reads: strata, stratum_classes, ai_blocking_classes
-- parameter: by = tld
-- parameter: min_sites = 20
-- column: sites_by_name: sites that name and block at least one AI agent
-- column: sites: sites that block at least one AI agent, by name or not
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: mean_agents_by_name: AI agents that a site of sites_by_name blocks by name, on average; null if there is no such site
-- caveat: Columns with by_name count agents that the file names and blocks. The other columns also count blocks by the wildcard group and, if they are counted, unreachable sites.
-- caveat: An agent counts in the first crawl in which a site names it and in all later ones.
-- caveat: Ranks and categories come from the user's own lists (--table ranks=FILE, --table categories=FILE). Printed SQL without a list has all sites in one stratum.
-- caveat: A top-level domain is not a country; docs/definitions.md explains strata.
WITH blocks_by_stratum AS (
    SELECT
        v.crawl,
        v.stratum,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(v.weight * b.agents_by_name) AS blocks_by_name
    FROM stratum_classes AS v
    JOIN ai_blocking_classes AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    GROUP BY v.crawl, v.stratum
)
SELECT
    s.crawl,
    s.stratum,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    coalesce(b.sites, 0) AS sites,
    s.sites_counted,
    CAST(coalesce(b.sites_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_by_name,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(b.blocks_by_name AS double) / nullif(b.sites_by_name, 0) AS mean_agents_by_name
FROM strata AS s
LEFT JOIN blocks_by_stratum AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
ORDER BY s.crawl, s.sites_counted DESC, s.stratum
