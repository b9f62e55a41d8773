-- title: Sites that a status of 401, 403 or 429 opens or closes
-- id: A06
-- question: How many sites would be closed to a crawler that takes 401, 403 or 429 for a refusal, while RFC 9309 leaves them open?
-- grain: one row per crawl, stratum and policy
-- reads: population, sites
-- parameter: denominator one of rules read answered decided all = decided, sites: which are counted, as in population
-- caveat: rfc9309 takes every 4xx for leave to fetch all (section 2.3.1.3). draft-1996, the draft of which it came, has 401 and 403 close the site. google reads 429 as an error of the server. ccbot stays away after 403 and puts its visit off after 429. strict does all of that.
-- caveat: All five stay away after 5xx, if only for a time, so that those sites differ in nothing. Whether a visit that is put off is made later is not asked here.
-- caveat: The status is that of the last answer once redirects are followed, as it was served to one crawler.
WITH sites_by_status AS (
    SELECT p.crawl, p.stratum, s.final_status, sum(p.weight) AS sites
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
    GROUP BY p.crawl, p.stratum, s.final_status
),
crawler_policies AS (
    SELECT *
    FROM (VALUES
        (1, 'rfc9309', false, false, false),
        (2, 'google', false, false, true),
        (3, 'draft-1996', true, true, false),
        (4, 'ccbot', false, true, true),
        (5, 'strict', true, true, true)
    ) AS l (place, policy, closed_by_401, closed_by_403, closed_by_429)
),
policy_sites AS (
    SELECT
        s.crawl,
        s.stratum,
        c.place,
        c.policy,
        sum(CASE WHEN c.closed_by_401 AND s.final_status = 401 THEN s.sites ELSE 0 END) AS sites_closed_by_401,
        sum(CASE WHEN c.closed_by_403 AND s.final_status = 403 THEN s.sites ELSE 0 END) AS sites_closed_by_403,
        sum(CASE WHEN c.closed_by_429 AND s.final_status = 429 THEN s.sites ELSE 0 END) AS sites_closed_by_429,
        sum(s.sites) AS sites_counted
    FROM sites_by_status AS s
    CROSS JOIN crawler_policies AS c
    GROUP BY s.crawl, s.stratum, c.place, c.policy
)
SELECT
    crawl,
    stratum,
    policy,
    sites_closed_by_401,
    sites_closed_by_403,
    sites_closed_by_429,
    sites_closed_by_401 + sites_closed_by_403 + sites_closed_by_429 AS sites_differing,
    sites_counted,
    (sites_closed_by_401 + sites_closed_by_403 + sites_closed_by_429) / nullif(sites_counted, 0) AS share
FROM policy_sites
ORDER BY crawl, stratum, place
