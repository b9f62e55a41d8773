-- title: Domains whose robots.txt holds for sites of other domains
-- id: J04
-- question: Which domains have a robots.txt that holds, by redirect, for most sites of other domains?
-- grain: one row per crawl and target domain, most sites first
-- reads: sites
-- parameter: crawl = ''
-- parameter: top count = 50, domains: how many domains per crawl
-- caveat: Registered domains are by the ICANN section of the public suffix list. A domain that many others redirect to is often a parking service, a hosting platform, or an owner with many names.
-- caveat: A redirect counts only if the same crawl captured its target with a body. share is of the sites whose file is of another domain, not of all.
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
