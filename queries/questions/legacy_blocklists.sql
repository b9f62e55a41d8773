-- title: Copied lists of bad bots
-- id: D10
-- question: What share of the agent names in files comes from lists that are copied from site to site?
-- grain: one row per crawl, stratum and kind of agent; a body counts once, however many sites serve it
-- reads: stratum_contents, strata, line_tokens, agents
-- parameter: least count = 10, tokens: a file that names this many agents of a kind has a list of them
-- column: kind: kind of the agents, as in datasets/agents.md; unlisted for those that are not in agents.csv
-- column: mentions: pairs of a site and an agent of this kind that its file names
-- column: mentions_counted: mentions of all kinds, which is the denominator
-- column: share_of_mentions: mentions divided by mentions_counted
-- column: sites: sites whose file names an agent of this kind
-- column: sites_with_list: of these sites, those whose file names at least --least agents of this kind
-- column: share_with_list: sites_with_list divided by sites_counted
-- column: bodies_with_list: how many distinct files the sites of sites_with_list have
-- caveat: The kind legacy-blocklist is for names known only from such lists. site-copier is for desktop programs, many of which are on such lists. agents.csv has the kind of each name.
-- caveat: A mention is one site that names one token, in one group or in several. A user-agent line names one token: that in the line if agents.csv has it, otherwise the product token. GPTBot Foo counts as GPTBot.
-- caveat: unlisted names are not in agents.csv. Most of them are rare.
WITH named_tokens AS (
    SELECT crawl, body_id, token FROM line_tokens GROUP BY crawl, body_id, token
),
named_kinds AS (
    SELECT t.crawl, t.body_id, coalesce(k.kind, 'unlisted') AS kind, count(*) AS tokens
    FROM named_tokens AS t
    LEFT JOIN agents AS k ON k.token = t.token
    GROUP BY t.crawl, t.body_id, coalesce(k.kind, 'unlisted')
),
kind_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        n.kind,
        sum(s.weight * n.tokens) AS mentions,
        sum(s.weight) AS sites,
        count(*) AS bodies,
        sum(CASE WHEN n.tokens >= $least THEN s.weight ELSE 0 END) AS sites_with_list,
        sum(CASE WHEN n.tokens >= $least THEN 1 ELSE 0 END) AS bodies_with_list
    FROM stratum_contents AS s
    JOIN named_kinds AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, n.kind
),
kind_shares AS (
    SELECT *, sum(mentions) OVER (PARTITION BY crawl, stratum) AS mentions_counted FROM kind_totals
)
SELECT
    k.crawl,
    k.stratum,
    k.kind,
    k.mentions,
    k.mentions_counted,
    CAST(k.mentions AS double) / nullif(k.mentions_counted, 0) AS share_of_mentions,
    k.sites,
    k.sites_with_list,
    s.sites_counted,
    CAST(k.sites AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(k.sites_with_list AS double) / nullif(s.sites_counted, 0) AS share_with_list,
    k.bodies,
    k.bodies_with_list
FROM kind_shares AS k
JOIN strata AS s ON s.crawl = k.crawl AND s.stratum = k.stratum
ORDER BY k.crawl, k.stratum, k.mentions DESC, k.kind
