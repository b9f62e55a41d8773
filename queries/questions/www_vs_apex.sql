-- title: Rules without www. and with it
-- id: J02
-- question: How often does the robots.txt of a domain differ from that of its www. host?
-- grain: one row per crawl, difference, and access without and with www.
-- reads: pair_differences
-- no strata: it counts pairs of sites, whose sites may be in two strata
-- column: difference: one answer, other verdict, other rules, same rules, no rules, not known; the caveats explain them
-- column: apex_access: all, part, none, not known: how much the agent (--agent) may fetch from the domain itself
-- column: www_access: all, part, none, not known: how much the agent (--agent) may fetch from the www. host
-- column: pairs: pairs of a domain and its www. host with this difference and this access
-- column: pairs_counted: all pairs of a domain and its www. host, over the same scheme and port
-- column: share: pairs divided by pairs_counted
-- caveat: Only registered domains captured both ways, over the same scheme and port, count. A domain captured over http and https is two pairs. Shares are of these pairs, not of all domains.
-- caveat: one answer: both have the same capture, because one redirects to the other or both to a third. other verdict: whether the agent is allowed, partly blocked or blocked differs, or the verdict on / does. other rules: the verdicts are the same, the rules are not. same rules: two files with the same rules, whatever their comments. no rules: neither file has a rule. not known: the verdict of one is not known, since a redirect leads to no answer, no capture has the file, or the agent is not tracked.
-- caveat: 4xx allows all and 5xx blocks all, by RFC 9309. A server that fails on one side only makes the verdicts differ.
-- caveat: Rules before the first user-agent line apply to no agent and are not compared.
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
ORDER BY crawl, pairs DESC, difference, apex_access, www_access
