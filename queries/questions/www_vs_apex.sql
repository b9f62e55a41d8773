-- title: Rules with www. and without
-- id: J02
-- question: How often does the robots.txt of a domain differ from that of its host www.?
-- grain: one row per crawl, difference, and access without and with www.
-- reads: pair_differences
-- no strata: it counts pairs of sites, which may be in two strata
-- caveat: Only registered domains count that a crawl captured both ways, over one scheme and port. A domain captured over http and https is two pairs. Shares are of those pairs, not of all domains.
-- caveat: one answer: redirects lead both to one capture. other verdict: the access of the agent (all, part, none) or the verdict on / differs. other rules: the verdicts are the same, the rules are not. same rules: two files with the same rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: 4xx allows all and 5xx blocks all, by RFC 9309. A server that fails on one side only gives another verdict.
-- caveat: Rules before the first user-agent line hold for nobody and are not compared.
SELECT
    crawl,
    difference,
    first_access AS apex_access,
    second_access AS www_access,
    pairs,
    pairs_counted,
    CAST(pairs AS double) / nullif(pairs_counted, 0) AS share
FROM pair_differences
WHERE kind = 'www'
ORDER BY crawl, difference, apex_access, www_access
