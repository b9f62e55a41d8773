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
WITH counted AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE WHEN outcome IN ('redirect_unresolved', 'no_capture') THEN weight ELSE 0 END) AS sites_unknown
    FROM population
    GROUP BY crawl, stratum
),
told AS (
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
summed AS (
    SELECT *, sum(sites) OVER (PARTITION BY agent) AS sites_of_all FROM told
),
placed AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, sites_of_all DESC, agent) AS bigint) AS place FROM summed
)
SELECT
    t.crawl,
    t.stratum,
    t.agent,
    t.sites,
    c.sites_counted,
    t.sites / nullif(c.sites_counted, 0) AS share,
    t.sites_none,
    t.sites_part,
    t.sites_all,
    c.sites_unknown,
    t.sites_none / nullif(c.sites_counted, 0) AS share_none,
    t.sites_part / nullif(c.sites_counted, 0) AS share_part,
    t.sites_all / nullif(c.sites_counted, 0) AS share_all
FROM placed AS t
JOIN counted AS c ON c.crawl = t.crawl AND c.stratum = t.stratum
WHERE t.place <= $top + 1
ORDER BY t.crawl, t.stratum, t.sites DESC, t.agent
