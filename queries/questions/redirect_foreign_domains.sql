-- title: Domains whose robots.txt holds for sites of other domains
-- id: J04
-- question: Which domains have their robots.txt hold, by redirect, for most sites of other domains?
-- grain: one row per crawl and domain that is redirected to, those with most sites first
-- reads: sites
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: top integer = 50, domains: how many of a crawl
-- caveat: Registered domains are by the ICANN section of the public suffix list. A domain that many others redirect to is often a parking service, a host of sites, or one owner with many names.
-- caveat: Only redirects count whose target the same crawl captured and has a body of. share is of the sites that are governed by another domain, not of all.
WITH governed_sites AS (
    SELECT
        crawl,
        coalesce(final_registered_domain, final_host_name) AS domain,
        coalesce(url_host_registered_domain, url_host_name) AS domain_governed,
        outcome
    FROM sites
    WHERE body_id IS NOT NULL
        AND coalesce(final_registered_domain, final_host_name) <> coalesce(url_host_registered_domain, url_host_name)
        AND ($crawl = '' OR crawl = $crawl)
),
domain_totals AS (
    SELECT
        crawl,
        domain,
        count(*) AS sites,
        count(DISTINCT domain_governed) AS domains_governed,
        sum(CASE WHEN outcome = 'rules' THEN 1 ELSE 0 END) AS sites_with_rules
    FROM governed_sites
    GROUP BY crawl, domain
),
ranked_domains AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl) AS sites_counted,
        CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, domain) AS bigint) AS place
    FROM domain_totals
)
SELECT
    crawl,
    place,
    domain,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    sites_with_rules,
    domains_governed
FROM ranked_domains
WHERE place <= $top
ORDER BY crawl, place
