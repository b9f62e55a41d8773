-- title: Refused requests for robots.txt, by crawl
-- id: A05
-- question: How does the share of sites that answer the request for robots.txt with 401, 402, 403, 429 or 5xx change between crawls?
-- grain: one row per crawl, stratum and kind of refusal, including kinds that no site has
-- reads: population, crawls, refusals
-- parameter: panel boolean = false, sites: counts only sites that are in every crawl of the folder
-- parameter: denominator = all
-- column: refusal: status of the last answer after redirects: 401, 402, 403, 429, 5xx
-- column: sites: sites whose last answer has this status
-- column: change: share minus share in the previous crawl of the answer that has this stratum; null if there is none
-- caveat: The sample of hosts changes between crawls, so a trend may be a change of the sample. A panel avoids this with the denominator all, but has only sites that are in every crawl.
-- caveat: The status is that of the last answer after redirects. It is what one crawler received.
-- caveat: 402 asks for payment. Networks that let sites charge crawlers send it.
-- caveat: change is the share minus the share in the crawl before, of those that have the stratum. The view crawls has the order of crawls.
WITH sites_by_status AS (
    SELECT crawl, stratum, final_status, sum(weight) AS sites FROM population GROUP BY crawl, stratum, final_status
),
refusal_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        r.refusal,
        sum(CASE WHEN s.final_status BETWEEN r.first_status AND r.last_status THEN s.sites ELSE 0 END) AS sites,
        sum(s.sites) AS sites_counted
    FROM sites_by_status AS s
    CROSS JOIN refusals AS r
    GROUP BY s.crawl, s.stratum, r.refusal
),
refusal_shares AS (
    SELECT t.*, c.crawl_no, CAST(t.sites AS double) / nullif(t.sites_counted, 0) AS share
    FROM refusal_totals AS t
    JOIN crawls AS c ON c.crawl = t.crawl
)
SELECT
    crawl,
    stratum,
    refusal,
    sites,
    sites_counted,
    share,
    share - lag(share) OVER (PARTITION BY stratum, refusal ORDER BY crawl_no) AS change
FROM refusal_shares
ORDER BY crawl_no, stratum, refusal
