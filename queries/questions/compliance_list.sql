-- title: Hosts and domains to leave out
-- id: E09
-- question: Which domains, or hosts, block any of the agents that one asks about?
-- grain: one row per crawl and domain, host or site that blocks at least one of the agents
-- reads: population, sites, blocking
-- parameter: tokens agents = 'GPTBot, CCBot, ClaudeBot, Google-Extended, Applebot-Extended, Bytespider, Amazonbot, meta-externalagent, FacebookBot, anthropic-ai, cohere-ai, omgili, Diffbot, *', tokens: which agents, with commas or blanks between them; a star is a crawler that no file names
-- parameter: level one of domain private-domain host site = domain, extent: what is listed as soon as one of its sites blocks an agent: the registered domain, the domain below a private suffix too (user.example.io of a host of many), the host, or the site alone
-- caveat: a domain is listed if any of its subdomains blocks any of the agents, so that most of its pages may be free; sites and sites_counted tell
-- caveat: what robots.txt says of some paths only (access part) is not here; whether a page may be fetched is a question of its path
-- caveat: sites of which no robots.txt was captured are not listed, whatever they say
WITH asked AS (
    SELECT crawl, site_id, agent, match_kind
    FROM blocking
    WHERE blocked AND agent IN ($tokens)
),
blocking_site AS (
    SELECT
        crawl,
        site_id,
        max(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS is_by_name
    FROM asked
    GROUP BY crawl, site_id
),
owned AS (
    SELECT
        p.crawl,
        p.site_id,
        CASE $level
            WHEN 'domain' THEN coalesce(s.url_host_registered_domain, s.url_host_name)
            WHEN 'private-domain' THEN coalesce(s.url_host_private_domain, s.url_host_name)
            WHEN 'host' THEN s.url_host_name
            ELSE s.url_protocol || '://' || s.url_host_name || ':' || CAST(s.url_port AS varchar)
        END AS name
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
),
counted AS (
    SELECT
        o.crawl,
        o.name,
        count(DISTINCT o.site_id) AS sites_counted,
        count(DISTINCT b.site_id) AS sites,
        count(DISTINCT CASE b.is_by_name WHEN 1 THEN b.site_id END) AS sites_by_name
    FROM owned AS o
    LEFT JOIN blocking_site AS b ON b.crawl = o.crawl AND b.site_id = o.site_id
    GROUP BY o.crawl, o.name
),
named AS (
    SELECT o.crawl, o.name, a.agent
    FROM asked AS a
    JOIN owned AS o ON o.crawl = a.crawl AND o.site_id = a.site_id
    GROUP BY o.crawl, o.name, a.agent
),
listed AS (
    SELECT crawl, name, count(*) AS agents, string_agg(agent, ', ' ORDER BY agent) AS blocked_agents
    FROM named
    GROUP BY crawl, name
)
SELECT
    l.crawl,
    l.name,
    c.sites,
    c.sites_by_name,
    c.sites_counted,
    c.sites / CAST(c.sites_counted AS double) AS share,
    l.agents,
    CAST(l.blocked_agents AS varchar) AS blocked_agents
FROM listed AS l
JOIN counted AS c ON c.crawl = l.crawl AND c.name = l.name
ORDER BY l.crawl, l.name
