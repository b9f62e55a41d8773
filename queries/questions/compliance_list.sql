-- title: Hosts and domains to exclude
-- id: E09
-- question: Which domains or hosts block any of the chosen agents?
-- grain: one row per crawl and domain, host or site that blocks at least one of the agents
-- reads: population, blocking
-- parameter: tokens = 'GPTBot, CCBot, ClaudeBot, Google-Extended, Applebot-Extended, Bytespider, Amazonbot, meta-externalagent, FacebookBot, anthropic-ai, cohere-ai, omgili, Diffbot, *': which agents, separated by commas or blanks; * is every crawler that is not named
-- parameter: level one of domain private-domain host site = domain, extent: what is listed if one of its sites blocks an agent; domain: the registered domain; private-domain: the domain below a private suffix (user.example.io of a shared platform); host: the host; site: the site
-- caveat: A domain is listed if any of its subdomains blocks any of the agents. Most of its pages may be allowed; sites and sites_counted show how many sites block.
-- caveat: Sites that are partly blocked (access part) are not listed. Whether a page may be fetched there depends on its path.
-- caveat: Sites without a captured robots.txt are not listed.
WITH agent_blocks AS (
    SELECT crawl, site_id, agent, match_kind
    FROM blocking
    WHERE blocked AND agent IN ($tokens)
),
blocking_sites AS (
    SELECT
        crawl,
        site_id,
        max(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS is_by_name
    FROM agent_blocks
    GROUP BY crawl, site_id
),
site_names AS (
    SELECT
        p.crawl,
        p.site_id,
        CASE $level
            WHEN 'domain' THEN coalesce(p.url_host_registered_domain, p.url_host_name)
            WHEN 'private-domain' THEN coalesce(p.url_host_private_domain, p.url_host_name)
            WHEN 'host' THEN p.url_host_name
            ELSE p.url_protocol || '://' || p.url_host_name || ':' || CAST(p.url_port AS varchar)
        END AS name
    FROM population AS p
),
name_totals AS (
    SELECT
        s.crawl,
        s.name,
        count(DISTINCT s.site_id) AS sites_counted,
        count(DISTINCT b.site_id) AS sites,
        count(DISTINCT CASE b.is_by_name WHEN 1 THEN b.site_id END) AS sites_by_name
    FROM site_names AS s
    LEFT JOIN blocking_sites AS b ON b.crawl = s.crawl AND b.site_id = s.site_id
    GROUP BY s.crawl, s.name
),
name_blocks AS (
    SELECT s.crawl, s.name, a.agent
    FROM agent_blocks AS a
    JOIN site_names AS s ON s.crawl = a.crawl AND s.site_id = a.site_id
    GROUP BY s.crawl, s.name, a.agent
),
blocking_names AS (
    SELECT crawl, name, count(*) AS agents, string_agg(agent, ', ' ORDER BY agent) AS blocked_agents
    FROM name_blocks
    GROUP BY crawl, name
)
SELECT
    b.crawl,
    b.name,
    n.sites,
    n.sites_by_name,
    n.sites_counted,
    n.sites / CAST(n.sites_counted AS double) AS share,
    b.agents,
    CAST(b.blocked_agents AS varchar) AS blocked_agents
FROM blocking_names AS b
JOIN name_totals AS n ON n.crawl = b.crawl AND n.name = b.name
ORDER BY b.crawl, b.name
