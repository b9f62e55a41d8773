-- title: Rules over http and https
-- id: J01
-- question: How often does the robots.txt of a host differ between http and https?
-- grain: one row per crawl, difference, and access over http and https
-- reads: pair_differences
-- no strata: it counts pairs of sites, which may be in two strata
-- caveat: Only hosts count that a crawl captured both ways, on the default ports. Shares are of those, not of all hosts. By RFC 9309 they are two files.
-- caveat: one answer: redirects lead both to one capture. other verdict: the access of the agent (all, part, none) or the verdict on / differs. other rules: the verdicts are the same, the rules are not. same rules: two files with the same rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: 4xx allows all and 5xx blocks all, by RFC 9309. A server that fails on one side only gives another verdict.
-- caveat: Rules before the first user-agent line hold for nobody and are not compared.
SELECT
    crawl,
    difference,
    first_access AS http_access,
    second_access AS https_access,
    pairs AS hosts,
    pairs_counted AS hosts_counted,
    CAST(pairs AS double) / nullif(pairs_counted, 0) AS share
FROM pair_differences
WHERE kind = 'scheme'
ORDER BY crawl, difference, http_access, https_access
