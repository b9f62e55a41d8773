-- title: Status codes of robots.txt
-- id: A02
-- question: With which status do servers answer requests for robots.txt?
-- grain: one row per crawl, stratum and status; the status is empty for an answer without one
-- reads: population
-- parameter: answer one of first final = first, answer: which answer; first: the site's own; final: the last one after redirects
-- parameter: denominator = all
-- caveat: Sites are counted, not captures: of several captures of a site in a crawl, the chosen one counts.
-- caveat: This is what one crawler received. Servers refuse an unknown crawler far more often than a browser.
WITH site_statuses AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        -- If redirects lead to no capture, only the site's own answer is known.
        CASE WHEN $answer = 'final' AND p.final_capture_id IS NOT NULL THEN p.final_status ELSE p.fetch_status END
            AS status
    FROM population AS p
),
sites_by_status AS (
    SELECT crawl, stratum, status, sum(weight) AS sites
    FROM site_statuses
    GROUP BY crawl, stratum, status
),
status_shares AS (
    SELECT *, sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted
    FROM sites_by_status
)
-- Parts of a shared weight are rounded: equal sums may differ in their last digits, which must not decide the order.
SELECT crawl, stratum, status, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM status_shares
ORDER BY crawl, stratum, round(sites, 6) DESC, status NULLS LAST
