-- title: Copied lists of bad bots
-- id: D10
-- question: How much of what files name comes from lists that are copied from site to site?
-- grain: one row per crawl, stratum and kind of agent; a body is counted once however many sites serve it
-- reads: stratum_contents, strata, policies, agents
-- parameter: least integer = 10, tokens: a file that names this many agents of a kind carries a list of them
-- caveat: legacy-blocklist is a name that is known only from such lists, site-copier a program of the desktop that they are full of; agents.csv says which names are which
-- caveat: a mention is one site's naming of one token; how many groups name it does not matter
-- caveat: unlisted is what agents.csv does not have; most of it is rare
WITH known AS (
    SELECT lower(token) AS token, kind FROM agents
),
named AS (
    SELECT p.crawl, p.body_id, coalesce(k.kind, 'unlisted') AS kind, count(*) AS tokens
    FROM policies AS p
    LEFT JOIN known AS k ON k.token = p.token
    WHERE p.is_written AND p.token <> '*'
    GROUP BY p.crawl, p.body_id, coalesce(k.kind, 'unlisted')
),
told AS (
    SELECT
        h.crawl,
        h.stratum,
        n.kind,
        sum(h.weight * n.tokens) AS mentions,
        sum(h.weight) AS sites,
        count(*) AS bodies,
        sum(CASE WHEN n.tokens >= $least THEN h.weight ELSE 0 END) AS sites_with_list,
        sum(CASE WHEN n.tokens >= $least THEN 1 ELSE 0 END) AS bodies_with_list
    FROM stratum_contents AS h
    JOIN named AS n ON n.crawl = h.crawl AND n.body_id = h.body_id
    GROUP BY h.crawl, h.stratum, n.kind
),
summed AS (
    SELECT *, sum(mentions) OVER (PARTITION BY crawl, stratum) AS mentions_counted FROM told
)
SELECT
    t.crawl,
    t.stratum,
    t.kind,
    t.mentions,
    t.mentions_counted,
    t.mentions / nullif(t.mentions_counted, 0) AS share_of_mentions,
    t.sites,
    t.sites_with_list,
    c.sites_counted,
    t.sites / nullif(c.sites_counted, 0) AS share,
    t.sites_with_list / nullif(c.sites_counted, 0) AS share_with_list,
    t.bodies,
    t.bodies_with_list
FROM summed AS t
JOIN strata AS c ON c.crawl = t.crawl AND c.stratum = t.stratum
ORDER BY t.crawl, t.stratum, t.mentions DESC, t.kind
