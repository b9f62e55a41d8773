-- title: Sites that a status of 401, 403 or 429 opens or closes
-- id: A06
-- question: How many sites would be closed to a crawler that takes 401, 403 or 429 for a refusal, while RFC 9309 leaves them open?
-- grain: one row per crawl, stratum and policy
-- reads: population, sites
-- parameter: denominator one of rules read answered decided all = decided, sites: which are counted, as in population
-- caveat: rfc9309 takes every 4xx for leave to fetch all (section 2.3.1.3). draft-1996, the draft of which it came, has 401 and 403 close the site. google reads 429 as an error of the server. ccbot stays away after 403 and puts its visit off after 429. strict does all of that.
-- caveat: All five stay away after 5xx, if only for a time, so that those sites differ in nothing. Whether a visit that is put off is made later is not asked here.
-- caveat: The status is that of the last answer once redirects are followed, as it was served to one crawler.
WITH refusing AS (
    SELECT p.crawl, p.stratum, s.final_status, sum(p.weight) AS sites
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
    GROUP BY p.crawl, p.stratum, s.final_status
),
policies_of_crawlers AS (
    SELECT *
    FROM (VALUES
        (1, 'rfc9309', false, false, false),
        (2, 'google', false, false, true),
        (3, 'draft-1996', true, true, false),
        (4, 'ccbot', false, true, true),
        (5, 'strict', true, true, true)
    ) AS l (place, policy, closed_by_401, closed_by_403, closed_by_429)
),
shown AS (
    SELECT
        r.crawl,
        r.stratum,
        l.place,
        l.policy,
        sum(CASE WHEN l.closed_by_401 AND r.final_status = 401 THEN r.sites ELSE 0 END) AS sites_closed_by_401,
        sum(CASE WHEN l.closed_by_403 AND r.final_status = 403 THEN r.sites ELSE 0 END) AS sites_closed_by_403,
        sum(CASE WHEN l.closed_by_429 AND r.final_status = 429 THEN r.sites ELSE 0 END) AS sites_closed_by_429,
        sum(r.sites) AS sites_counted
    FROM refusing AS r
    CROSS JOIN policies_of_crawlers AS l
    GROUP BY r.crawl, r.stratum, l.place, l.policy
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
FROM shown
ORDER BY crawl, stratum, place
