-- title: Only search engines allowed
-- id: D08
-- question: How many sites block whoever they do not name and let search engines in?
-- grain: one row per crawl and stratum
-- reads: strata, voices, voice_blocking, agents
-- parameter: purpose text = search, purpose: what the agents that are let in are for, by the column purposes of agents
-- caveat: agents that are not tracked are not looked at; a site may let in one that nobody here knows of
-- caveat: an agent that is for search and for training counts as one for search
WITH purposeful AS (
    SELECT lower(token) AS agent
    FROM agents
    WHERE tracked AND strpos(' ' || purposes || ' ', ' ' || $purpose || ' ') > 0
),
closed AS (
    SELECT p.crawl, p.stratum, p.voice_id, p.weight
    FROM voices AS p
    JOIN voice_blocking AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    WHERE b.agent = '*' AND b.blocked
),
opened AS (
    SELECT
        c.crawl,
        c.stratum,
        c.voice_id,
        c.weight,
        sum(CASE WHEN NOT b.blocked AND a.agent IS NOT NULL THEN 1 ELSE 0 END) AS let_in,
        sum(CASE WHEN NOT b.blocked AND a.agent IS NULL THEN 1 ELSE 0 END) AS others_let_in
    FROM closed AS c
    JOIN voice_blocking AS b ON b.crawl = c.crawl AND b.voice_id = c.voice_id
    LEFT JOIN purposeful AS a ON a.agent = b.agent
    GROUP BY c.crawl, c.stratum, c.voice_id, c.weight
),
told AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_closed,
        sum(CASE WHEN let_in = 0 AND others_let_in = 0 THEN weight ELSE 0 END) AS sites_closed_to_all,
        sum(CASE WHEN let_in > 0 THEN weight ELSE 0 END) AS sites,
        sum(CASE WHEN let_in > 0 AND others_let_in = 0 THEN weight ELSE 0 END) AS sites_only,
        sum(CASE WHEN let_in = 1 AND others_let_in = 0 THEN weight ELSE 0 END) AS sites_only_one
    FROM opened
    GROUP BY crawl, stratum
)
SELECT
    c.crawl,
    c.stratum,
    coalesce(t.sites_closed, 0) AS sites_closed,
    coalesce(t.sites_closed_to_all, 0) AS sites_closed_to_all,
    coalesce(t.sites, 0) AS sites,
    coalesce(t.sites_only, 0) AS sites_only,
    coalesce(t.sites_only_one, 0) AS sites_only_one,
    c.sites_counted,
    coalesce(t.sites, 0) / nullif(c.sites_counted, 0) AS share,
    coalesce(t.sites_only, 0) / nullif(c.sites_counted, 0) AS share_only,
    t.sites_only / nullif(t.sites_closed, 0) AS share_only_of_closed
FROM strata AS c
LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
ORDER BY c.crawl, c.stratum
