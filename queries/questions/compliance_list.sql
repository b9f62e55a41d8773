-- title: Hosts and domains to exclude
-- id: E09
-- question: Which domains or hosts block any of the chosen agents?
-- grain: one row per crawl, stratum and domain, host or site that blocks at least one of the agents
-- reads: population_classes, class_blocking
-- parameter: tokens = 'GPTBot, CCBot, ClaudeBot, Google-Extended, Applebot-Extended, Bytespider, Amazonbot, meta-externalagent, FacebookBot, anthropic-ai, cohere-ai, omgili, Diffbot, *': which agents, separated by commas or blanks; * is every crawler that a file does not name
-- parameter: level one of domain private-domain host site = domain, extent: what is listed if one of its sites blocks an agent; domain: the registered domain; private-domain: the domain below a private suffix, such as user.example.io on a shared platform; host: the host; site: the site
-- column: name: the domain, host or site (--level); a site with its port, as in https://a.example:443
-- column: sites: sites of this name that block at least one of the chosen agents, by name or not
-- column: sites_by_name: sites of this name that name and block at least one of the chosen agents
-- column: sites_counted: all counted sites of this name
-- column: agents: how many of the chosen agents at least one of these sites blocks
-- column: blocked_agents: these agents in alphabetical order, separated by commas; * is every crawler that a file does not name
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
        max(CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END) AS is_by_name,
        count(*) AS agents,
        array_to_string(array_sort(array_agg(agent)), ', ') AS blocked_agents
    FROM class_agents
    GROUP BY crawl, blocking_class_id
),
site_names AS (
    SELECT
        crawl,
        stratum,
        weight,
        blocking_class_id,
        CASE $level
            WHEN 'domain' THEN coalesce(url_host_registered_domain, url_host_name)
            WHEN 'private-domain' THEN coalesce(url_host_private_domain, url_host_name)
            WHEN 'host' THEN url_host_name
            ELSE url_protocol || '://' || url_host_name || ':' || CAST(url_port AS varchar)
        END AS name
    FROM population_classes
),
-- Here and below, the smaller side of a join comes first, because it is kept in memory.
blocking_names AS (
    SELECT DISTINCT s.crawl, s.stratum, s.name
    FROM blocking_classes AS b
    JOIN site_names AS s ON s.crawl = b.crawl AND s.blocking_class_id = b.blocking_class_id
),
names_of_sites AS (
    SELECT s.*
    FROM blocking_names AS n
    JOIN site_names AS s ON s.crawl = n.crawl AND s.stratum = n.stratum AND s.name = n.name
),
name_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        s.name,
        sum(s.weight) AS sites_counted,
        sum(CASE WHEN b.blocking_class_id IS NULL THEN 0 ELSE s.weight END) AS sites,
        sum(coalesce(b.is_by_name, 0) * s.weight) AS sites_by_name,
        min(b.blocking_class_id) AS first_class_id,
        max(b.blocking_class_id) AS last_class_id
    FROM names_of_sites AS s
    LEFT JOIN blocking_classes AS b ON b.crawl = s.crawl AND b.blocking_class_id = s.blocking_class_id
    GROUP BY s.crawl, s.stratum, s.name
),
-- Most names have one blocking class. Only the others need a list of their own.
mixed_names AS (
    SELECT crawl, stratum, name FROM name_totals WHERE first_class_id <> last_class_id
),
mixed_name_classes AS (
    SELECT DISTINCT s.crawl, s.stratum, s.name, s.blocking_class_id
    FROM mixed_names AS m
    JOIN names_of_sites AS s ON s.crawl = m.crawl AND s.stratum = m.stratum AND s.name = m.name
),
mixed_name_agents AS (
    SELECT DISTINCT n.crawl, n.stratum, n.name, a.agent
    FROM mixed_name_classes AS n
    JOIN class_agents AS a ON a.crawl = n.crawl AND a.blocking_class_id = n.blocking_class_id
),
mixed_name_lists AS (
    SELECT crawl, stratum, name, count(*) AS agents, array_to_string(array_sort(array_agg(agent)), ', ') AS blocked_agents
    FROM mixed_name_agents
    GROUP BY crawl, stratum, name
)
SELECT
    n.crawl,
    n.stratum,
    n.name,
    n.sites,
    n.sites_by_name,
    n.sites_counted,
    CAST(n.sites AS double) / nullif(n.sites_counted, 0) AS share,
    coalesce(m.agents, b.agents) AS agents,
    CAST(coalesce(m.blocked_agents, b.blocked_agents) AS varchar) AS blocked_agents
FROM name_totals AS n
JOIN blocking_classes AS b ON b.crawl = n.crawl AND b.blocking_class_id = n.first_class_id
LEFT JOIN mixed_name_lists AS m ON m.crawl = n.crawl AND m.stratum = n.stratum AND m.name = n.name
ORDER BY n.crawl, n.stratum, n.name
