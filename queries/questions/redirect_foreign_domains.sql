-- title: Domains whose robots.txt applies to sites of other domains
-- id: J04
-- question: Which domains have a robots.txt that applies, by redirect, to the most sites of other domains?
-- grain: one row per crawl, stratum of the redirected sites and target domain, most sites first
-- reads: site_strata
-- parameter: crawl = ''
-- parameter: top count = 50, domains: how many domains per crawl and stratum, those with the most sites first
-- parameter: min_sites = 1: omits strata with fewer sites whose file is on another domain
-- column: domain: the registered domain of the host that has the file; the host itself if it has no registered domain
-- column: sites: sites of other domains to which the file applies by redirect
-- column: sites_counted: all sites whose file is on another domain
-- column: sites_with_rules: how many of these sites have a robots.txt with at least one rule; a page in its place does not count
-- column: domains_governed: registered domains of these sites; a host without a registered domain counts as one
-- caveat: Registered domains are by the ICANN section of the public suffix list. A domain that many others redirect to is often a parking service, a hosting platform, or an owner with many names.
-- caveat: A redirect counts only if the same crawl captured its target with a body. share is of the sites whose file is on another domain, not of all sites.
WITH governed_sites AS (
    SELECT
        crawl,
        stratum,
        coalesce(final_registered_domain, final_host_name) AS domain,
        coalesce(url_host_registered_domain, url_host_name) AS domain_governed,
        outcome
    FROM site_strata
    WHERE body_id IS NOT NULL
        AND stratum IS NOT NULL
        AND coalesce(final_registered_domain, final_host_name) <> coalesce(url_host_registered_domain, url_host_name)
        AND ($crawl = '' OR crawl = $crawl)
),
domain_totals AS (
    SELECT
        crawl,
        stratum,
        domain,
        count(*) AS sites,
        count(DISTINCT domain_governed) AS domains_governed,
        sum(CASE WHEN outcome = 'rules' THEN 1 ELSE 0 END) AS sites_with_rules
    FROM governed_sites
    GROUP BY crawl, stratum, domain
),
ranked_domains AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, domain) AS bigint) AS place
    FROM domain_totals
)
SELECT
    crawl,
    stratum,
    place,
    domain,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    sites_with_rules,
    domains_governed
FROM ranked_domains
WHERE place <= $top AND sites_counted >= $min_sites
ORDER BY crawl, stratum, place
