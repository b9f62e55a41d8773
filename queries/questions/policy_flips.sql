-- title: Agents that sites began or ceased to block
-- id: H02
-- question: What share of the sites of two crawls blocks an agent in one of them and not in the other?
-- grain: one row per agent
-- reads: panel, site_voices, voice_blocking, agents
-- parameter: counted one of read answered decided = answered, sites: which are counted, of those in both crawls: whose file was read in both; also those without a file (4xx), which allow all; also those that cannot be reached, which refuse all
-- caveat: Sites are counted that are in both crawls. Where the file itself came or went, the verdict may have changed without anybody having written a rule; counted=read leaves these out.
-- caveat: by_name is of the crawl in which the agent is blocked, and tells a choice about the agent from one about all crawlers.
WITH counted_outcomes AS (
    SELECT outcome
    FROM (VALUES
        (1, 'rules'),
        (1, 'no_rules'),
        (1, 'not_robots'),
        (2, 'unavailable'),
        (3, 'unreachable')
    ) AS o (least, outcome)
    WHERE least <= CASE $counted WHEN 'read' THEN 1 WHEN 'answered' THEN 2 ELSE 3 END
),
kept AS (
    SELECT crawl_from, crawl_to, site_from, site_to
    FROM panel
    WHERE outcome_from IN (SELECT outcome FROM counted_outcomes) AND outcome_to IN (SELECT outcome FROM counted_outcomes)
),
totals AS (
    SELECT p.crawl_from, p.crawl_to, count(k.site_from) AS sites_counted
    FROM panel AS p
    LEFT JOIN kept AS k ON k.site_from = p.site_from
    GROUP BY p.crawl_from, p.crawl_to
),
-- Sites that said the same in the one crawl, and the same in the other, are one.
changed AS (
    SELECT k.crawl_from, k.crawl_to, f.voice_id AS voice_from, t.voice_id AS voice_to, count(*) AS sites
    FROM kept AS k
    JOIN site_voices AS f ON f.crawl = k.crawl_from AND f.site_id = k.site_from
    JOIN site_voices AS t ON t.crawl = k.crawl_to AND t.site_id = k.site_to
    GROUP BY k.crawl_from, k.crawl_to, f.voice_id, t.voice_id
),
blocked AS (
    SELECT crawl, voice_id, agent, match_kind = 'explicit' AS is_by_name
    FROM voice_blocking
    WHERE blocked
),
before AS (
    SELECT c.voice_from, c.voice_to, c.sites, b.agent, b.is_by_name
    FROM changed AS c
    JOIN blocked AS b ON b.crawl = c.crawl_from AND b.voice_id = c.voice_from
),
after AS (
    SELECT c.voice_from, c.voice_to, c.sites, b.agent, b.is_by_name
    FROM changed AS c
    JOIN blocked AS b ON b.crawl = c.crawl_to AND b.voice_id = c.voice_to
),
paired AS (
    SELECT
        coalesce(b.agent, a.agent) AS agent,
        coalesce(b.sites, a.sites) AS sites,
        CASE WHEN b.agent IS NULL THEN 0 ELSE 1 END AS was_blocked,
        CASE WHEN a.agent IS NULL THEN 0 ELSE 1 END AS is_blocked,
        CASE WHEN coalesce(b.is_by_name, a.is_by_name) THEN 1 ELSE 0 END AS is_by_name
    FROM before AS b
    FULL JOIN after AS a ON a.voice_from = b.voice_from AND a.voice_to = b.voice_to AND a.agent = b.agent
),
counted AS (
    SELECT
        agent,
        sum(sites * was_blocked) AS sites_blocked_first,
        sum(sites * is_blocked) AS sites_blocked_last,
        sum(sites * is_blocked * (1 - was_blocked)) AS sites_newly_blocked,
        sum(sites * is_blocked * (1 - was_blocked) * is_by_name) AS sites_newly_blocked_by_name,
        sum(sites * was_blocked * (1 - is_blocked)) AS sites_freed,
        sum(sites * was_blocked * (1 - is_blocked) * is_by_name) AS sites_freed_by_name
    FROM paired
    GROUP BY agent
),
asked AS (
    SELECT '*' AS agent
    UNION
    SELECT lower(token) AS agent FROM agents WHERE tracked
)
SELECT
    t.crawl_from,
    t.crawl_to,
    a.agent,
    t.sites_counted,
    coalesce(c.sites_blocked_first, 0) AS sites_blocked_first,
    coalesce(c.sites_blocked_last, 0) AS sites_blocked_last,
    coalesce(c.sites_newly_blocked, 0) AS sites_newly_blocked,
    coalesce(c.sites_newly_blocked_by_name, 0) AS sites_newly_blocked_by_name,
    CAST(coalesce(c.sites_newly_blocked, 0) AS double) / nullif(t.sites_counted, 0) AS share_newly_blocked,
    coalesce(c.sites_freed, 0) AS sites_freed,
    coalesce(c.sites_freed_by_name, 0) AS sites_freed_by_name,
    CAST(coalesce(c.sites_freed, 0) AS double) / nullif(t.sites_counted, 0) AS share_freed
FROM totals AS t
CROSS JOIN asked AS a
LEFT JOIN counted AS c ON c.agent = a.agent
ORDER BY t.crawl_from, t.crawl_to, sites_newly_blocked DESC, sites_freed DESC, a.agent
