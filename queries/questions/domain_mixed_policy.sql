-- title: Domains whose hosts differ about an agent
-- id: J03
-- question: Of the domains with several hosts, how many have hosts that block an agent beside hosts that do not?
-- grain: one row per crawl and number of hosts, in bins, those that did not occur among them
-- reads: blocking, sites
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: agent agent = *, token: the tracked agent that is asked about; the star is a crawler that no file names
-- parameter: domain one of registered private = private, domain: by the public suffix list without its private section, or with it, so that users' hosts on a shared platform such as blogspot.com are domains of their own
-- caveat: A host blocks the agent if one of its protocols or ports does; by the definition d9-any-subdomain all hosts of a domain do then, so that none is mixed. Only hosts whose answer is known count, and a server that fails blocks, as RFC 9309 has it.
-- caveat: Only captured hosts are known, and a crawl has few hosts of most domains; domains are mixed the oftener the more of their hosts it has.
WITH blocking_hosts AS (
    SELECT
        s.crawl,
        CASE $domain WHEN 'registered' THEN s.url_host_registered_domain ELSE s.url_host_private_domain END AS domain,
        s.url_host_name,
        max(CASE WHEN b.blocked THEN 1 ELSE 0 END) AS blocks
    FROM blocking AS b
    JOIN sites AS s ON s.crawl = b.crawl AND s.site_id = b.site_id
    WHERE b.agent = $agent AND ($crawl = '' OR b.crawl = $crawl)
    GROUP BY
        s.crawl,
        CASE $domain WHEN 'registered' THEN s.url_host_registered_domain ELSE s.url_host_private_domain END,
        s.url_host_name
),
domain_hosts AS (
    SELECT crawl, domain, count(*) AS hosts, sum(blocks) AS hosts_blocking
    FROM blocking_hosts
    WHERE domain IS NOT NULL
    GROUP BY crawl, domain
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
domain_bins AS (
    SELECT
        d.crawl,
        b.from_hosts,
        b.to_hosts,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains ELSE 0 END) AS domains_counted,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains_mixed ELSE 0 END) AS domains_mixed,
        sum(CASE WHEN d.hosts >= b.from_hosts AND (b.to_hosts IS NULL OR d.hosts <= b.to_hosts)
            THEN d.domains_blocking ELSE 0 END) AS domains_blocking
    FROM domain_sizes AS d
    CROSS JOIN (VALUES (2, 2), (3, 5), (6, 10), (11, 100), (101, 1000), (1001, NULL)) AS b (from_hosts, to_hosts)
    GROUP BY d.crawl, b.from_hosts, b.to_hosts
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
ORDER BY crawl, from_hosts
