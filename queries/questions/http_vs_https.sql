-- title: Rules over http and over https
-- id: J01
-- question: How often does a host say other things in its robots.txt over http than over https?
-- grain: one row per crawl, difference, and what the two sides allow
-- reads: pair_differences
-- caveat: Only hosts count of which a crawl captured both, over the ports of the schemes, so that shares are of those and not of all hosts. RFC 9309 has the two be files of their own.
-- caveat: one answer: redirects lead both to one capture. other verdict: the agent may fetch another part (all, part, none), or / is decided in another way. other rules: the verdict is the same and the rules are not. same rules: two files, one set of rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: A verdict counts 4xx as leave to fetch all and 5xx as a refusal, as RFC 9309 has it, so that a server which fails on one side only makes another verdict.
-- caveat: same rules are those of groups; rules before the first user-agent line hold for nobody and are not compared
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
