-- title: Status codes of robots.txt
-- id: A02
-- question: With which status do servers answer when a site is asked for its robots.txt?
-- grain: one row per crawl, stratum and status; an answer without a status has none
-- reads: population, sites
-- parameter: answer one of first final = first, answer: the site's own, or the last one once redirects are followed
-- parameter: denominator one of rules read answered decided all = all, sites: which are counted, as in population
-- caveat: Statuses are counted by sites and not by captures, of which a site may have several in one crawl; the one that was chosen counts.
-- caveat: This is what was served to one crawler. Servers refuse an unknown crawler far oftener than a browser.
WITH site_statuses AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        -- Where a redirect leads to no capture, the last answer is a redirect, of which only that of the site is known.
        CASE WHEN $answer = 'final' AND s.final_capture_id IS NOT NULL THEN s.final_status ELSE s.fetch_status END
            AS status
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
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
-- Sums of weights that are fractions differ in their last digits from run to run, and an order must not.
SELECT crawl, stratum, status, sites, sites_counted, sites / nullif(sites_counted, 0) AS share
FROM status_shares
ORDER BY crawl, stratum, round(sites, 6) DESC, status NULLS LAST
