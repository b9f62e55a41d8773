-- title: Sites that a status of 401, 402, 403 or 429 blocks
-- id: A06
-- question: How many sites are blocked for a crawler that treats 401, 402, 403 or 429 as a block, although RFC 9309 allows all paths there?
-- grain: one row per crawl, stratum and policy
-- reads: population
-- parameter: denominator = decided
-- column: policy: the policy of a crawler towards these statuses: rfc9309, google, original-1996, ccbot, strict
-- column: sites_blocked_by_401: sites whose last answer is 401, if the policy takes it as a block; otherwise 0
-- column: sites_blocked_by_402: sites whose last answer is 402, if the policy takes it as a block; otherwise 0
-- column: sites_blocked_by_403: sites whose last answer is 403, if the policy takes it as a block; otherwise 0
-- column: sites_blocked_by_429: sites whose last answer is 429, if the policy takes it as a block; otherwise 0
-- column: sites_differing: the sum of these four: sites that the policy blocks, but RFC 9309 does not
-- column: share: sites_differing divided by sites_counted
-- caveat: rfc9309: every 4xx allows all (section 2.3.1.3). original-1996, a draft of 1996: 401 and 403 block the site. google: 429 is a server error. ccbot: stays away after 403 and postpones its visit after 429. strict: all of these statuses, and 402, which asks for payment. No policy of an operator that we know mentions 402.
-- caveat: All five stay away after 5xx, at least for a time, so sites with 5xx make no difference. A postponed visit counts as a block.
-- caveat: The status is that of the last answer after redirects. It is what one crawler received.
WITH sites_by_status AS (
    SELECT p.crawl, p.stratum, p.final_status, sum(p.weight) AS sites
    FROM population AS p
    GROUP BY p.crawl, p.stratum, p.final_status
),
-- The first three are dialects. A test compares them with the crate robots.
crawler_policies AS (
    SELECT *
    FROM (VALUES
        (1, 'rfc9309', false, false, false, false),
        (2, 'google', false, false, false, true),
        (3, 'original-1996', true, false, true, false),
        (4, 'ccbot', false, false, true, true),
        (5, 'strict', true, true, true, true)
    ) AS l (place, policy, blocked_by_401, blocked_by_402, blocked_by_403, blocked_by_429)
),
policy_sites AS (
    SELECT
        s.crawl,
        s.stratum,
        c.place,
        c.policy,
        sum(CASE WHEN c.blocked_by_401 AND s.final_status = 401 THEN s.sites ELSE 0 END) AS sites_blocked_by_401,
        sum(CASE WHEN c.blocked_by_402 AND s.final_status = 402 THEN s.sites ELSE 0 END) AS sites_blocked_by_402,
        sum(CASE WHEN c.blocked_by_403 AND s.final_status = 403 THEN s.sites ELSE 0 END) AS sites_blocked_by_403,
        sum(CASE WHEN c.blocked_by_429 AND s.final_status = 429 THEN s.sites ELSE 0 END) AS sites_blocked_by_429,
        sum(s.sites) AS sites_counted
    FROM sites_by_status AS s
    CROSS JOIN crawler_policies AS c
    GROUP BY s.crawl, s.stratum, c.place, c.policy
)
SELECT
    crawl,
    stratum,
    policy,
    sites_blocked_by_401,
    sites_blocked_by_402,
    sites_blocked_by_403,
    sites_blocked_by_429,
    sites_blocked_by_401 + sites_blocked_by_402 + sites_blocked_by_403 + sites_blocked_by_429 AS sites_differing,
    sites_counted,
    CAST(sites_blocked_by_401 + sites_blocked_by_402 + sites_blocked_by_403 + sites_blocked_by_429 AS double) / nullif(sites_counted, 0) AS share
FROM policy_sites
ORDER BY crawl, stratum, place
