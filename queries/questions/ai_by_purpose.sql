-- title: AI agents blocked, by purpose
-- id: E02
-- question: Do more sites block agents that train AI models than agents that search, fetch for a user or act for one?
-- grain: one row per crawl, stratum and purpose
-- reads: strata, stratum_classes, class_blocking, ai_agent_purposes
-- column: purpose: training, dataset, data-provider, search, user-fetch, agent, research, other
-- column: agents: tracked AI agents with this purpose that some site names in this crawl or an earlier one
-- column: sites_by_name: sites that name and block at least one of these agents
-- column: sites_all_by_name: sites that name and block all of these agents
-- column: sites: sites that block at least one of these agents, by name or not
-- column: sites_all: sites that block all of these agents, by name or not
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: share_all_by_name: sites_all_by_name divided by sites_counted
-- column: share_all: sites_all divided by sites_counted
-- caveat: The purposes are training, dataset, data-provider, search (AI search), user-fetch, agent (act for a user) and research. An agent with several of them counts for each, and blocking it counts for all of them. An agent counts as other if all its purposes are others, or if none is known.
-- caveat: Columns with by_name count agents that the file names and blocks. The other columns also count blocks by the wildcard group and, if they are counted, unreachable sites.
-- caveat: An agent counts in the first crawl in which a site names it and in all later ones.
-- caveat: Some tokens are not crawlers: they control how another crawler's copies are used. They count for that purpose.
WITH purposes AS (
    SELECT crawl, purpose, count(*) AS agents FROM ai_agent_purposes GROUP BY crawl, purpose
),
blocking_classes AS (
    SELECT
        b.crawl,
        b.blocking_class_id,
        a.purpose,
        count(*) AS agents,
        sum(CASE WHEN b.match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM class_blocking AS b
    JOIN ai_agent_purposes AS a ON a.crawl = b.crawl AND a.agent = b.agent
    WHERE b.blocked
    GROUP BY b.crawl, b.blocking_class_id, a.purpose
),
blocks_by_purpose AS (
    SELECT
        v.crawl,
        v.stratum,
        b.purpose,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents_by_name = u.agents THEN v.weight ELSE 0 END) AS sites_all_by_name,
        sum(CASE WHEN b.agents = u.agents THEN v.weight ELSE 0 END) AS sites_all
    FROM stratum_classes AS v
    JOIN blocking_classes AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    JOIN purposes AS u ON u.crawl = b.crawl AND u.purpose = b.purpose
    GROUP BY v.crawl, v.stratum, b.purpose
)
SELECT
    s.crawl,
    s.stratum,
    p.purpose,
    p.agents,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    coalesce(b.sites_all_by_name, 0) AS sites_all_by_name,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_all, 0) AS sites_all,
    s.sites_counted,
    CAST(coalesce(b.sites_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_by_name,
    CAST(coalesce(b.sites_all_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_all_by_name,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(coalesce(b.sites_all, 0) AS double) / nullif(s.sites_counted, 0) AS share_all
FROM strata AS s
JOIN purposes AS p ON p.crawl = s.crawl
LEFT JOIN blocks_by_purpose AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.purpose = p.purpose
ORDER BY s.crawl, s.stratum, coalesce(b.sites_by_name, 0) DESC, p.purpose
