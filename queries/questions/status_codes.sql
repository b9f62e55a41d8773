-- title: Status codes of robots.txt
-- id: A02
-- question: With which status do servers answer requests for robots.txt?
-- grain: one row per crawl, stratum and status; the status is empty for an answer without one
-- reads: population
-- parameter: answer one of first final = first, answer: which answer; first: the site's own; final: the last one after redirects, or the site's own if that was not captured
-- parameter: denominator = all
-- column: status: HTTP status of the answer that --answer chooses; null if it has none
-- column: sites: sites whose answer has this status
-- caveat: Sites are counted, not captures: of several captures of a site in a crawl, the chosen one counts.
-- caveat: This is what one crawler received. Servers refuse an unknown crawler far more often than a browser.
WITH site_statuses AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        -- In a loop, there is no final capture, but a last answer.
        CASE
            WHEN $answer = 'first' OR coalesce(p.final_capture_id, p.final_status) IS NULL THEN p.fetch_status
            ELSE p.final_status
        END AS status
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
SELECT crawl, stratum, status, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM status_shares
ORDER BY crawl, stratum, sites DESC, status NULLS LAST
