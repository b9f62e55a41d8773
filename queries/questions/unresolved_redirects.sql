-- title: Redirects of robots.txt
-- id: A07
-- question: How many redirects of robots.txt are followed, to whose host do they lead, and why are some not resolved?
-- grain: one row per crawl, stratum, end of the redirects and number of redirects followed
-- reads: population
-- parameter: denominator = all
-- column: redirect_end: answered, or why there is no answer: no-location, unusable-location, not-http, not-captured, loop, too-many
-- column: hops: redirects that were followed to another capture, at most 5
-- column: sites: sites with this redirect_end and this number of hops
-- column: sites_redirecting: counted sites that redirect the request for robots.txt, which is the denominator
-- column: share: sites divided by sites_redirecting
-- column: sites_to_own_host: of these sites, those whose last target is on their own host
-- column: sites_to_other_host: of these sites, those whose last target is on another host
-- column: sites_to_other_domain: of sites_to_other_host, those whose last target is outside of their registered domain
-- column: sites_to_other_path: of these sites, those whose last target is not exactly /robots.txt
-- caveat: redirect_end is answered, or the reason why there is no answer: no-location (the response names no target), unusable-location (the target cannot be resolved to a URL), not-http, not-captured, loop, too-many (over five). A target counts as captured if the same crawl has it; an archive need not have all that was fetched. Outside folders named robotstxt, a target other than /robots.txt is read only if it follows in the same archive.
-- caveat: Crawls differ in how many redirects of robots.txt they followed; before CC-MAIN-2023-50 only the first. A rise of not-captured may be due to the crawler.
-- caveat: 304 is not a redirect here. If redirects end in a loop, or after five, the columns on targets are about the last known address. Without a target that can be resolved, a site is in none of them.
WITH redirected_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        coalesce(p.redirect_end, 'answered') AS redirect_end,
        p.hops,
        p.url_host_name,
        p.url_host_registered_domain AS domain,
        p.final_url,
        -- An IPv6 address has colons, in brackets.
        CASE WHEN split_part(p.final_url, '/', 3) LIKE '[%'
            THEN split_part(split_part(p.final_url, '/', 3), ']', 1) || ']'
            ELSE split_part(split_part(p.final_url, '/', 3), ':', 1) END AS target_host_name
    FROM population AS p
    WHERE p.access_result = 'redirect' AND (p.fetch_status <> 304 OR p.redirect_end IS NOT NULL OR p.hops > 0)
),
redirect_totals AS (
    SELECT
        crawl,
        stratum,
        redirect_end,
        hops,
        sum(weight) AS sites,
        sum(CASE WHEN target_host_name = url_host_name THEN weight ELSE 0 END) AS sites_to_own_host,
        sum(CASE WHEN target_host_name <> url_host_name THEN weight ELSE 0 END) AS sites_to_other_host,
        -- A host without a registered domain is its own domain, and hosts below it are others.
        sum(CASE WHEN target_host_name <> url_host_name
            AND coalesce(target_host_name <> domain AND NOT ends_with(target_host_name, '.' || domain), true)
            THEN weight ELSE 0 END) AS sites_to_other_domain,
        sum(CASE WHEN NOT (final_url LIKE '%/robots.txt' AND split_part(final_url, '/', 5) = '')
            THEN weight ELSE 0 END) AS sites_to_other_path
    FROM redirected_sites
    GROUP BY crawl, stratum, redirect_end, hops
),
redirect_shares AS (
    SELECT *, sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_redirecting
    FROM redirect_totals
)
SELECT
    crawl,
    stratum,
    redirect_end,
    hops,
    sites,
    sites_redirecting,
    CAST(sites AS double) / nullif(sites_redirecting, 0) AS share,
    sites_to_own_host,
    sites_to_other_host,
    sites_to_other_domain,
    sites_to_other_path
FROM redirect_shares
ORDER BY crawl, stratum, CASE redirect_end WHEN 'answered' THEN 0 ELSE 1 END, sites DESC, redirect_end, hops
