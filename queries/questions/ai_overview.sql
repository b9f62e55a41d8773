-- title: Sites that block AI agents
-- id: E01
-- question: What share of sites blocks at least one AI agent, many, or all?
-- grain: one row per crawl and stratum
-- reads: strata, stratum_classes, ai_blocking_classes, known_ai_agents
-- parameter: many count = 5, agents: this number or more are many
-- column: agents: tracked AI agents that some site names in this crawl or an earlier one
-- column: sites_by_name: sites that name and block at least one AI agent
-- column: sites_many_by_name: sites that name and block many AI agents (--many)
-- column: sites_all_by_name: sites that name and block all AI agents that the column agents counts
-- column: sites: sites that block at least one AI agent, by name or not
-- column: sites_many: sites that block many AI agents (--many), by name or not
-- column: sites_all: sites that block all AI agents that the column agents counts, by name or not
-- column: sites_none: sites that block no AI agent: sites_counted minus sites
-- column: share_by_name: sites_by_name divided by sites_counted
-- column: share_many_by_name: sites_many_by_name divided by sites_counted
-- column: share_all_by_name: sites_all_by_name divided by sites_counted
-- column: share_many: sites_many divided by sites_counted
-- column: share_all: sites_all divided by sites_counted
-- column: mean_agents_by_name: AI agents that a site of sites_by_name blocks by name, on average; null if there is no such site
-- caveat: AI agents are the tracked agents that agents.csv lists as training models, feeding AI search or assistants, or acting for users. Crawlers of search engines are not among them, although some feed models too.
-- caveat: Columns with by_name count agents that the file names and blocks. The other columns also count blocks by the wildcard group, which applies to every agent that the file does not name, and unreachable sites, if they are counted.
-- caveat: An agent counts in the first crawl in which a site names it and in all later ones. The column agents is their number.
-- caveat: mean_agents_by_name is over the sites that block an AI agent by name, and null if no site does.
WITH agent_counts AS (
    SELECT crawl, count(*) AS agents FROM known_ai_agents GROUP BY crawl
),
blocks_by_stratum AS (
    SELECT
        v.crawl,
        v.stratum,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents >= $many THEN v.weight ELSE 0 END) AS sites_many,
        sum(CASE WHEN b.agents_by_name >= $many THEN v.weight ELSE 0 END) AS sites_many_by_name,
        sum(CASE WHEN b.agents = a.agents THEN v.weight ELSE 0 END) AS sites_all,
        sum(CASE WHEN b.agents_by_name = a.agents THEN v.weight ELSE 0 END) AS sites_all_by_name,
        sum(CASE WHEN b.agents_by_name > 0 THEN v.weight * b.agents_by_name ELSE 0 END) AS blocks_by_name
    FROM stratum_classes AS v
    JOIN ai_blocking_classes AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    JOIN agent_counts AS a ON a.crawl = v.crawl
    GROUP BY v.crawl, v.stratum
)
SELECT
    s.crawl,
    s.stratum,
    coalesce(a.agents, 0) AS agents,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    coalesce(b.sites_many_by_name, 0) AS sites_many_by_name,
    coalesce(b.sites_all_by_name, 0) AS sites_all_by_name,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_many, 0) AS sites_many,
    coalesce(b.sites_all, 0) AS sites_all,
    s.sites_counted - coalesce(b.sites, 0) AS sites_none,
    s.sites_counted,
    CAST(coalesce(b.sites_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_by_name,
    CAST(coalesce(b.sites_many_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_many_by_name,
    CAST(coalesce(b.sites_all_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_all_by_name,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(coalesce(b.sites_many, 0) AS double) / nullif(s.sites_counted, 0) AS share_many,
    CAST(coalesce(b.sites_all, 0) AS double) / nullif(s.sites_counted, 0) AS share_all,
    CAST(b.blocks_by_name AS double) / nullif(b.sites_by_name, 0) AS mean_agents_by_name
FROM strata AS s
LEFT JOIN agent_counts AS a ON a.crawl = s.crawl
LEFT JOIN blocks_by_stratum AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
ORDER BY s.crawl, s.stratum
