-- title: Outcomes of fetching robots.txt, by rank
-- id: A03
-- question: How do the outcomes of fetching robots.txt depend on the rank of the site?
-- grain: one row per crawl, stratum and outcome, including outcomes without a site
-- reads: outcome_shares
-- parameter: by = rank: how the answer is split; rank: each site is in one stratum; rank-cumulative: the top 10,000 include the top 1,000
-- parameter: denominator = all
-- column: outcome: what became of the robots.txt: rules, no_rules, not_robots, unavailable, unreachable, redirect_unresolved, no_capture
-- column: sites: sites with this outcome
-- caveat: Ranks come from the user's table ranks (--table ranks=FILE). Printed SQL without it has all sites unranked. A host that is not listed has the rank of its registered domain.
-- caveat: Shares are of captured sites. missing_capture counts the listed hosts without a capture.
-- caveat: Lists of ranks differ in how they are made: the top 1,000 of one list are not the top 1,000 of another.
SELECT crawl, stratum, outcome, sites, sites_counted, share
FROM outcome_shares
ORDER BY crawl, stratum, place
