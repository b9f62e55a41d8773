-- title: Outcomes of fetching robots.txt
-- id: A01
-- question: What share of sites has a robots.txt with rules, one without rules, no robots.txt, or one that could not be fetched?
-- grain: one row per crawl, stratum and outcome, including outcomes without a site
-- reads: outcome_shares
-- parameter: denominator = all
-- column: outcome: what became of the robots.txt: rules, no_rules, not_robots, unavailable, unreachable, redirect_unresolved, no_capture
-- column: sites: sites with this outcome
-- column: sites_redirected: of these sites, those for which at least one redirect was followed
-- caveat: The outcome is that of the last answer after redirects. unavailable is 4xx, which allows all by RFC 9309. unreachable is 5xx or no answer, which blocks all.
-- caveat: This is what one crawler received. Servers refuse an unknown crawler far more often than a browser.
-- caveat: Between 2021 and 2023, Common Crawl stopped archiving answers that are not text. So not_robots falls although no site changed.
-- caveat: A site is a protocol, host and port. Sites that were never captured are not counted.
SELECT crawl, stratum, outcome, sites, sites_counted, share, sites_redirected
FROM outcome_shares
ORDER BY crawl, stratum, place
