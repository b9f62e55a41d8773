-- title: Outcomes by stratum
-- question: How many sites of each stratum have each outcome of fetching robots.txt?
-- grain: one row per crawl, stratum and outcome, including outcomes without a site
-- reads: population
-- caveat: place is the order of the outcomes.
WITH sites_by_outcome AS (
    SELECT
        crawl,
        stratum,
        outcome,
        sum(weight) AS sites,
        sum(CASE WHEN hops > 0 THEN weight ELSE 0 END) AS sites_redirected
    FROM population
    GROUP BY crawl, stratum, outcome
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
outcome_totals AS (
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
SELECT
    crawl,
    stratum,
    place,
    outcome,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    sites_redirected
FROM outcome_totals
