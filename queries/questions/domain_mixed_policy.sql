-- title: Domains whose hosts treat an agent differently
-- id: J03
-- question: Of the domains with several hosts, how many have both hosts that block an agent and hosts that do not?
-- grain: one row per crawl and bin of the number of hosts, including empty bins
-- reads: blocking, sites
-- no strata: it counts domains, whose sites may be in several strata
-- parameter: crawl = ''
-- parameter: agent agent = *, token: the tracked agent; * is every crawler that a file does not name
-- parameter: domain one of registered private = private, domain: what is a domain; registered: by the ICANN section of the public suffix list; private: also by its private section, so that each user's host on a shared platform such as blogspot.com is a domain
-- column: from_hosts: the fewest hosts that a domain of this row has; only captured hosts with a known verdict count
-- column: to_hosts: the most hosts that a domain of this row has; null if there is no limit
-- column: domains_mixed: domains with hosts that block the agent (--agent) and hosts that do not
-- column: domains_blocking: domains whose hosts all block the agent
-- column: domains_counted: all domains with this number of hosts
-- column: share_mixed: domains_mixed divided by domains_counted; null if there is no such domain
-- column: share_blocking: domains_blocking divided by domains_counted; null if there is no such domain
-- caveat: A host blocks the agent if one of its protocols or ports does. By the definition d9-any-subdomain, all hosts of a domain block if the file of one does, so only unreachable hosts make a domain mixed. Only hosts with a known verdict count. By RFC 9309, a server that fails (5xx) blocks all paths.
-- caveat: Only captured hosts count, and a crawl has few hosts of most domains. A domain with more captured hosts is more likely to be mixed.
WITH site_domains AS (
    SELECT
        crawl,
        site_id,
        url_host_name,
        CASE $domain WHEN 'registered' THEN url_host_registered_domain ELSE url_host_private_domain END AS domain
    FROM sites
    WHERE $crawl = '' OR crawl = $crawl
),
-- Most domains have one site, and so one host. The others are numbered by their first site: numbers are compared faster
-- than names.
shared_domains AS (
    SELECT crawl, domain, min(site_id) AS first_site_id
    FROM site_domains
    WHERE domain IS NOT NULL
    GROUP BY crawl, domain
    HAVING count(*) > 1
),
shared_sites AS (
    SELECT s.crawl, s.site_id, s.url_host_name, d.first_site_id
    FROM shared_domains AS d
    JOIN site_domains AS s ON s.crawl = d.crawl AND s.domain = d.domain
),
blocking_hosts AS (
    SELECT s.crawl, s.first_site_id, s.url_host_name, max(CASE WHEN b.blocked THEN 1 ELSE 0 END) AS blocks
    FROM shared_sites AS s
    JOIN blocking AS b ON b.crawl = s.crawl AND b.site_id = s.site_id
    WHERE b.agent = $agent
    GROUP BY s.crawl, s.first_site_id, s.url_host_name
),
domain_hosts AS (
    SELECT crawl, count(*) AS hosts, sum(blocks) AS hosts_blocking
    FROM blocking_hosts
    GROUP BY crawl, first_site_id
    HAVING count(*) > 1
),
domain_sizes AS (
    SELECT
        crawl,
        hosts,
        count(*) AS domains,
        sum(CASE WHEN hosts_blocking > 0 AND hosts_blocking < hosts THEN 1 ELSE 0 END) AS domains_mixed,
        sum(CASE WHEN hosts_blocking = hosts THEN 1 ELSE 0 END) AS domains_blocking
    FROM domain_hosts
    GROUP BY crawl, hosts
),
crawl_names AS (
    SELECT DISTINCT crawl FROM sites WHERE $crawl = '' OR crawl = $crawl
),
-- A crawl may have no domain with several hosts.
domain_bins AS (
    SELECT
        c.crawl,
        b.from_hosts,
        b.to_hosts,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains ELSE 0 END) AS domains_counted,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains_mixed ELSE 0 END) AS domains_mixed,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains_blocking ELSE 0 END) AS domains_blocking
    FROM crawl_names AS c
    LEFT JOIN domain_sizes AS d ON d.crawl = c.crawl
    CROSS JOIN (VALUES (2, 2), (3, 5), (6, 10), (11, 100), (101, 1000), (1001, NULL)) AS b (from_hosts, to_hosts)
    GROUP BY c.crawl, b.from_hosts, b.to_hosts
)
SELECT
    crawl,
    from_hosts,
    to_hosts,
    domains_mixed,
    domains_blocking,
    domains_counted,
    CAST(domains_mixed AS double) / nullif(domains_counted, 0) AS share_mixed,
    CAST(domains_blocking AS double) / nullif(domains_counted, 0) AS share_blocking
FROM domain_bins
-- The sum keeps the second key. DataFusion 55 would drop it, since it believes that a crawl has one row
-- (apache/datafusion#23821).
ORDER BY crawl, from_hosts + 0
