-- title: Hosts and domains to exclude
-- id: E09
-- question: Which domains or hosts block any of the chosen agents?
-- grain: one row per crawl, stratum and domain, host or site that blocks at least one of the agents
-- reads: population, site_blocking_classes, class_blocking
-- parameter: tokens = 'GPTBot, CCBot, ClaudeBot, Google-Extended, Applebot-Extended, Bytespider, Amazonbot, meta-externalagent, FacebookBot, anthropic-ai, cohere-ai, omgili, Diffbot, *': which agents, separated by commas or blanks; * is every crawler that a file does not name
-- parameter: level one of domain private-domain host site = domain, extent: what is listed if one of its sites blocks an agent; domain: the registered domain; private-domain: the domain below a private suffix, such as user.example.io on a shared platform; host: the host; site: the site
-- caveat: A domain is listed if any of its sites blocks any of the agents, by name or by the wildcard group. Most of its pages may be allowed; compare sites, which block, with sites_counted.
-- caveat: Sites that only partly block an agent (access part) are not listed. Whether a page may be fetched there depends on its path.
-- caveat: Sites without a captured robots.txt are not listed.
WITH class_agents AS (
    SELECT crawl, blocking_class_id, agent, match_kind
    FROM class_blocking
    WHERE blocked AND agent IN ($tokens)
),
blocking_classes AS (
    SELECT
        crawl,
        blocking_class_id,
        max(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS is_by_name
    FROM class_agents
    GROUP BY crawl, blocking_class_id
),
site_names AS (
    SELECT
        p.crawl,
        p.stratum,
        v.blocking_class_id,
        CASE $level
            WHEN 'domain' THEN coalesce(p.url_host_registered_domain, p.url_host_name)
            WHEN 'private-domain' THEN coalesce(p.url_host_private_domain, p.url_host_name)
            WHEN 'host' THEN p.url_host_name
            ELSE p.url_protocol || '://' || p.url_host_name || ':' || CAST(p.url_port AS varchar)
        END AS name
    FROM site_blocking_classes AS v
    JOIN population AS p ON p.crawl = v.crawl AND p.site_id = v.site_id
),
name_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        s.name,
        count(*) AS sites_counted,
        count(b.blocking_class_id) AS sites,
        sum(coalesce(b.is_by_name, 0)) AS sites_by_name
    FROM site_names AS s
    LEFT JOIN blocking_classes AS b ON b.crawl = s.crawl AND b.blocking_class_id = s.blocking_class_id
    GROUP BY s.crawl, s.stratum, s.name
    HAVING count(b.blocking_class_id) > 0
),
-- Most names have one policy class, and few classes block.
name_classes AS (
    SELECT DISTINCT s.crawl, s.stratum, s.name, s.blocking_class_id
    FROM site_names AS s
    JOIN blocking_classes AS b ON b.crawl = s.crawl AND b.blocking_class_id = s.blocking_class_id
),
name_blocks AS (
    SELECT DISTINCT n.crawl, n.stratum, n.name, a.agent
    FROM name_classes AS n
    JOIN class_agents AS a ON a.crawl = n.crawl AND a.blocking_class_id = n.blocking_class_id
),
blocking_names AS (
    SELECT crawl, stratum, name, count(*) AS agents, string_agg(agent, ', ' ORDER BY agent) AS blocked_agents
    FROM name_blocks
    GROUP BY crawl, stratum, name
)
SELECT
    b.crawl,
    b.stratum,
    b.name,
    n.sites,
    n.sites_by_name,
    n.sites_counted,
    n.sites / CAST(n.sites_counted AS double) AS share,
    b.agents,
    CAST(b.blocked_agents AS varchar) AS blocked_agents
FROM blocking_names AS b
JOIN name_totals AS n ON n.crawl = b.crawl AND n.stratum = b.stratum AND n.name = b.name
ORDER BY b.crawl, b.stratum, b.name
