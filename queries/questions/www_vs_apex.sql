-- title: Rules with www. and without
-- id: J02
-- question: How often does a domain say other things in its robots.txt than its host www.?
-- grain: one row per crawl, difference, and what the two sides allow
-- reads: pair_differences
-- caveat: Only registered domains count of which a crawl captured both, over one scheme and port; a domain that was captured over http and https counts as two pairs. Shares are of those pairs and not of all domains.
-- caveat: one answer: redirects lead both to one capture. other verdict: the agent may fetch another part (all, part, none), or / is decided in another way. other rules: the verdict is the same and the rules are not. same rules: two files, one set of rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: A verdict counts 4xx as leave to fetch all and 5xx as a refusal, as RFC 9309 has it, so that a server which fails on one side only makes another verdict.
-- caveat: same rules are those of groups; rules before the first user-agent line hold for nobody and are not compared
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
