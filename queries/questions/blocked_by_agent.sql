-- title: Agents blocked
-- id: D03
-- question: Which share of sites blocks each agent, wholly, in part or not at all?
-- grain: one row per crawl, stratum and agent
-- reads: population, voices, voice_blocking
-- parameter: tokens agents = '', tokens: which agents, with commas or blanks between them; those tracked if none is said
-- parameter: top integer = 30, agents: how many of them, the most blocked first and the star besides
-- caveat: what is asked of crawlers, and not whether they comply or are kept out by the server
-- caveat: the star stands for a crawler that no file names; an agent that a file does not name is judged by the star's group
-- caveat: whoever crawled may have been served another file than other crawlers are
WITH known_strata AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE WHEN outcome IN ('redirect_unresolved', 'no_capture') THEN weight ELSE 0 END) AS sites_unknown
    FROM population
    GROUP BY crawl, stratum
),
agent_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        b.agent,
        sum(CASE WHEN b.blocked THEN p.weight ELSE 0 END) AS sites,
        sum(CASE WHEN b.access = 'none' THEN p.weight ELSE 0 END) AS sites_none,
        sum(CASE WHEN b.access = 'part' THEN p.weight ELSE 0 END) AS sites_part,
        sum(CASE WHEN b.access = 'all' THEN p.weight ELSE 0 END) AS sites_all
    FROM voices AS p
    JOIN voice_blocking AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    WHERE '' IN ($tokens)
        OR b.agent = '*'
        OR b.agent IN ($tokens)
    GROUP BY p.crawl, p.stratum, b.agent
),
agent_totals AS (
    SELECT *, sum(sites) OVER (PARTITION BY agent) AS sites_of_all FROM agent_sites
),
ranked_agents AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, sites_of_all DESC, agent) AS bigint) AS place FROM agent_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    r.sites,
    k.sites_counted,
    r.sites / nullif(k.sites_counted, 0) AS share,
    r.sites_none,
    r.sites_part,
    r.sites_all,
    k.sites_unknown,
    r.sites_none / nullif(k.sites_counted, 0) AS share_none,
    r.sites_part / nullif(k.sites_counted, 0) AS share_part,
    r.sites_all / nullif(k.sites_counted, 0) AS share_all
FROM ranked_agents AS r
JOIN known_strata AS k ON k.crawl = r.crawl AND k.stratum = r.stratum
WHERE r.place <= $top + 1
ORDER BY r.crawl, r.stratum, r.sites DESC, r.agent
