-- title: Sites whose robots.txt is on another host or domain
-- id: J04
-- question: How many sites have, by redirect, the robots.txt of another host or domain, and do these block an agent more often?
-- grain: one row per crawl, stratum and origin of the file, including origins that no site has; the origin unresolved only with the denominator all
-- reads: population, blocking
-- parameter: agent agent = *, token: the tracked agent; * is every crawler that a file does not name
-- parameter: denominator = read
-- column: governed_by: itself, own host, own domain, other domain, unresolved: where redirects from the site end
-- column: sites: sites whose redirects end there; for itself, sites that do not redirect
-- column: sites_with_rules: how many of these sites have a robots.txt with at least one rule; a page in its place does not count
-- column: sites_blocking: how many of these sites block the agent (--agent)
-- column: share_blocking: sites_blocking divided by sites; null if there is no such site
-- caveat: itself: no redirect. own host: another scheme, port or path on the host. own domain: another host of the registered domain. other domain: a host of another domain. By RFC 9309 section 2.3.1.2, the rules at the end of redirects apply to the first site, whoever owns the host there.
-- caveat: Registered domains are by the ICANN section of the public suffix list: hosts of several people on one platform count as one domain. Another domain may have the same owner.
-- caveat: A redirect counts only if the same crawl captured its target. The origin of all other redirects is unresolved.
WITH governed_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        p.site_id,
        p.outcome,
        p.weight,
        CASE
            WHEN p.redirect_end IS NOT NULL THEN 'unresolved'
            WHEN p.final_host_name IS NULL THEN 'itself'
            WHEN p.final_host_name = p.url_host_name THEN 'own host'
            WHEN p.final_registered_domain = p.url_host_registered_domain THEN 'own domain'
            ELSE 'other domain'
        END AS governed_by
    FROM population AS p
),
site_blocks AS (
    SELECT crawl, site_id, blocked
    FROM blocking
    WHERE agent = $agent
),
governed_totals AS (
    SELECT
        g.crawl,
        g.stratum,
        g.governed_by,
        sum(g.weight) AS sites,
        sum(CASE WHEN g.outcome = 'rules' THEN g.weight ELSE 0 END) AS sites_with_rules,
        sum(CASE WHEN s.blocked THEN g.weight ELSE 0 END) AS sites_blocking
    FROM governed_sites AS g
    LEFT JOIN site_blocks AS s ON s.crawl = g.crawl AND s.site_id = g.site_id
    GROUP BY g.crawl, g.stratum, g.governed_by
),
origins AS (
    SELECT *
    FROM (VALUES (1, 'itself'), (2, 'own host'), (3, 'own domain'), (4, 'other domain'), (5, 'unresolved')) AS o (place, governed_by)
    WHERE place < 5 OR $denominator = 'all'
),
governed_shares AS (
    SELECT
        g.crawl,
        g.stratum,
        l.place,
        l.governed_by,
        sum(CASE WHEN g.governed_by = l.governed_by THEN g.sites ELSE 0 END) AS sites,
        sum(g.sites) AS sites_counted,
        sum(CASE WHEN g.governed_by = l.governed_by THEN g.sites_with_rules ELSE 0 END) AS sites_with_rules,
        sum(CASE WHEN g.governed_by = l.governed_by THEN g.sites_blocking ELSE 0 END) AS sites_blocking
    FROM governed_totals AS g
    CROSS JOIN origins AS l
    GROUP BY g.crawl, g.stratum, l.place, l.governed_by
)
SELECT
    crawl,
    stratum,
    governed_by,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    sites_with_rules,
    sites_blocking,
    CAST(sites_blocking AS double) / nullif(sites, 0) AS share_blocking
FROM governed_shares
ORDER BY crawl, stratum, place
