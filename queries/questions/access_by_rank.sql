-- title: Outcomes of asking for robots.txt, by rank
-- id: A03
-- question: How does the outcome of asking for robots.txt differ between sites of high and of low rank?
-- grain: one row per crawl, stratum and outcome, those that did not occur among them
-- reads: population
-- parameter: by one of none tld rank rank-cumulative category = rank, stratum: what the answer is split by; rank has each site once, rank-cumulative has those of the top 1,000 among the top 10,000 too
-- parameter: denominator one of rules read answered decided all = all, sites: which are counted, as in population
-- caveat: Ranks are those of the table ranks, which the user gives; without it all sites are unranked. A host that is not listed has the rank of its registered domain.
-- caveat: Shares are of the sites that were captured. How many of the listed hosts were not, missing_capture tells.
-- caveat: Lists of ranks are cut and averaged in different ways, so that one list's top 1,000 is not another's.
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
SELECT crawl, stratum, outcome, sites, sites_counted, sites / nullif(sites_counted, 0) AS share
FROM outcome_shares
ORDER BY crawl, stratum, place
