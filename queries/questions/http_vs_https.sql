-- title: Rules over http and https
-- id: J01
-- question: How often does the robots.txt of a host differ between http and https?
-- grain: one row per crawl, difference, and access over http and https
-- reads: pair_differences
-- no strata: it counts pairs of sites, whose sites may be in two strata
-- column: difference: one answer, other verdict, other rules, same rules, no rules, not known; the caveats explain them
-- column: http_access: all, part, none, not known: how much the agent (--agent) may fetch over http
-- column: https_access: all, part, none, not known: how much the agent (--agent) may fetch over https
-- column: hosts: hosts with this difference and this access over http and https
-- column: hosts_counted: all hosts captured both over http and over https, on the default ports
-- column: share: hosts divided by hosts_counted
-- caveat: Only hosts captured both over http and over https, on the default ports, count. Shares are of these hosts, not of all. By RFC 9309 a host has a file for each.
-- caveat: one answer: both have the same capture, because one redirects to the other or both to a third. other verdict: whether the agent is allowed, partly blocked or blocked differs, or the verdict on / does. other rules: the verdicts are the same, the rules are not. same rules: two files with the same rules, whatever their comments. no rules: neither file has a rule. not known: the verdict of one is not known, since a redirect leads to no answer, no capture has the file, or the agent is not tracked.
-- caveat: 4xx allows all and 5xx blocks all, by RFC 9309. A server that fails on one side only makes the verdicts differ.
-- caveat: Rules before the first user-agent line apply to no agent and are not compared.
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
ORDER BY crawl, hosts DESC, difference, http_access, https_access
