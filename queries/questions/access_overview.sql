-- title: Outcomes of fetching robots.txt
-- id: A01
-- question: What share of sites has a robots.txt with rules, one without rules, no robots.txt, or one that could not be fetched?
-- grain: one row per crawl, stratum and outcome, including outcomes without a site
-- reads: population
-- parameter: denominator = all
-- caveat: The outcome is that of the last answer after redirects. unavailable is 4xx, which allows all by RFC 9309. unreachable is 5xx or no answer, which blocks all.
-- caveat: This is what one crawler received. Servers refuse an unknown crawler far more often than a browser.
-- caveat: Since 2021 to 2023, archives of Common Crawl keep text answers only. not_robots falls there although no site changed.
-- caveat: A site is a protocol, host and port. Sites that were never captured are not counted.
WITH sites_by_outcome AS (
    SELECT
        p.crawl,
        p.stratum,
        p.outcome,
        sum(p.weight) AS sites,
        sum(CASE WHEN p.hops > 0 THEN p.weight ELSE 0 END) AS sites_redirected
    FROM population AS p
    GROUP BY p.crawl, p.stratum, p.outcome
),
outcomes AS (
    SELECT *
    FROM (VALUES
        (1, 'rules'),
        (2, 'no_rules'),
        (3, 'not_robots'),
        (4, 'unavailable'),
        (5, 'unreachable'),
        (6, 'redirect_unresolved'),
        (7, 'no_capture')
    ) AS l (place, outcome)
),
outcome_shares AS (
    SELECT
        s.crawl,
        s.stratum,
        o.place,
        o.outcome,
        sum(CASE WHEN s.outcome = o.outcome THEN s.sites ELSE 0 END) AS sites,
        sum(s.sites) AS sites_counted,
        sum(CASE WHEN s.outcome = o.outcome THEN s.sites_redirected ELSE 0 END) AS sites_redirected
    FROM sites_by_outcome AS s
    CROSS JOIN outcomes AS o
    GROUP BY s.crawl, s.stratum, o.place, o.outcome
)
SELECT crawl, stratum, outcome, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share, sites_redirected
FROM outcome_shares
ORDER BY crawl, stratum, place
