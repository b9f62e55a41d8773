-- title: Outcomes of fetching robots.txt, by rank
-- id: A03
-- question: How do the outcomes of fetching robots.txt depend on the rank of the site?
-- grain: one row per crawl, stratum and outcome, including outcomes without a site
-- reads: population
-- parameter: by = rank: how the answer is split; rank: each site is in one bucket; rank-cumulative: the top 10,000 include the top 1,000
-- parameter: denominator = all
-- caveat: Ranks come from the user's table ranks (--table ranks=FILE). Without it, all sites are unranked. A host that is not listed has the rank of its registered domain.
-- caveat: Shares are of captured sites. missing_capture counts the listed hosts without a capture.
-- caveat: Lists of ranks differ in how they are made: the top 1,000 of one list are not the top 1,000 of another.
WITH sites_by_outcome AS (
    SELECT crawl, stratum, outcome, sum(weight) AS sites
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
outcome_shares AS (
    SELECT
        s.crawl,
        s.stratum,
        o.place,
        o.outcome,
        sum(CASE WHEN s.outcome = o.outcome THEN s.sites ELSE 0 END) AS sites,
        sum(s.sites) AS sites_counted
    FROM sites_by_outcome AS s
    CROSS JOIN outcomes AS o
    GROUP BY s.crawl, s.stratum, o.place, o.outcome
)
SELECT crawl, stratum, outcome, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM outcome_shares
ORDER BY crawl, stratum, place
