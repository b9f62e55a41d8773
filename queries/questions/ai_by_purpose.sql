-- title: AI agents blocked, by purpose
-- id: E02
-- question: Are agents that train models blocked by more sites than those that search, fetch for a person or act for one?
-- grain: one row per crawl, stratum and purpose
-- reads: strata, voices, voice_blocking, agents
-- caveat: an agent with several purposes counts for each; a block of it is a block of all of them
-- caveat: a token that only controls what another crawler's copies are used for counts for its purpose
WITH purposes AS (
    SELECT purpose
    FROM (VALUES ('training'), ('dataset'), ('data-provider'), ('search'), ('user-fetch'), ('agent'), ('research')) AS listed (purpose)
),
ai AS (
    SELECT lower(a.token) AS agent, p.purpose
    FROM agents AS a
    JOIN purposes AS p ON strpos(' ' || a.purposes || ' ', ' ' || p.purpose || ' ') > 0
    WHERE a.is_ai AND a.tracked
),
listed AS (
    SELECT purpose, count(*) AS agents FROM ai GROUP BY purpose
),
blocking_voice AS (
    SELECT
        b.crawl,
        b.voice_id,
        a.purpose,
        count(*) AS agents,
        sum(CASE WHEN b.match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_by_name
    FROM voice_blocking AS b
    JOIN ai AS a ON a.agent = b.agent
    WHERE b.blocked
    GROUP BY b.crawl, b.voice_id, a.purpose
),
told AS (
    SELECT
        p.crawl,
        p.stratum,
        b.purpose,
        sum(p.weight) AS sites,
        sum(CASE WHEN b.agents_by_name > 0 THEN p.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.agents = l.agents THEN p.weight ELSE 0 END) AS sites_all
    FROM voices AS p
    JOIN blocking_voice AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    JOIN listed AS l ON l.purpose = b.purpose
    GROUP BY p.crawl, p.stratum, b.purpose
)
SELECT
    c.crawl,
    c.stratum,
    l.purpose,
    l.agents,
    coalesce(t.sites, 0) AS sites,
    coalesce(t.sites_by_name, 0) AS sites_by_name,
    coalesce(t.sites_all, 0) AS sites_all,
    c.sites_counted,
    coalesce(t.sites, 0) / nullif(c.sites_counted, 0) AS share,
    coalesce(t.sites_by_name, 0) / nullif(c.sites_counted, 0) AS share_by_name,
    coalesce(t.sites_all, 0) / nullif(c.sites_counted, 0) AS share_all
FROM strata AS c
CROSS JOIN listed AS l
LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.purpose = l.purpose
ORDER BY c.crawl, c.stratum, coalesce(t.sites_by_name, 0) DESC, l.purpose
