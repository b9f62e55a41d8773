-- title: Refusals of robots.txt over the crawls
-- id: A05
-- question: Does the share of sites grow that answer the request for robots.txt with 401, 403, 429 or 5xx?
-- grain: one row per crawl, stratum and kind of refusal, those that did not occur among them
-- reads: population, sites
-- parameter: panel boolean = false, sites: count only those that every crawl of the folder has
-- parameter: denominator one of rules read answered decided all = all, sites: which are counted, as in population
-- caveat: The sample of hosts changes from crawl to crawl, so a trend may be one of the sample; a panel has none of that, and only what lasts.
-- caveat: The status is that of the last answer once redirects are followed. It is what was served to one crawler, and says nothing about others.
-- caveat: change is the difference to the crawl before in the answer, in shares.
WITH lasting AS (
    SELECT url_protocol, url_host_name, url_port
    FROM sites
    WHERE $panel
    GROUP BY url_protocol, url_host_name, url_port
    HAVING count(*) = (SELECT count(DISTINCT crawl) FROM sites)
),
answered AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        CASE
            WHEN s.final_status = 401 THEN '401'
            WHEN s.final_status = 403 THEN '403'
            WHEN s.final_status = 429 THEN '429'
            WHEN s.final_status BETWEEN 500 AND 599 THEN '5xx'
        END AS refusal
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
    LEFT JOIN lasting AS l
        ON l.url_protocol = s.url_protocol AND l.url_host_name = s.url_host_name AND l.url_port = s.url_port
    WHERE NOT $panel OR l.url_host_name IS NOT NULL
),
counted AS (
    SELECT crawl, stratum, refusal, sum(weight) AS sites
    FROM answered
    GROUP BY crawl, stratum, refusal
),
shown AS (
    SELECT
        c.crawl,
        c.stratum,
        l.refusal,
        sum(CASE WHEN c.refusal = l.refusal THEN c.sites ELSE 0 END) AS sites,
        sum(c.sites) AS sites_counted
    FROM counted AS c
    CROSS JOIN (VALUES ('401'), ('403'), ('429'), ('5xx')) AS l (refusal)
    GROUP BY c.crawl, c.stratum, l.refusal
),
shared AS (
    SELECT *, sites / nullif(sites_counted, 0) AS share
    FROM shown
)
SELECT
    crawl,
    stratum,
    refusal,
    sites,
    sites_counted,
    share,
    share - lag(share) OVER (PARTITION BY stratum, refusal ORDER BY crawl) AS change
FROM shared
ORDER BY crawl, stratum, refusal
