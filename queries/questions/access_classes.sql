-- title: Outcomes of asking for robots.txt, in the status classes of Common Crawl's experiments
-- id: A01
-- question: What share of hosts falls into each status class that Common Crawl's robots.txt experiments count, by the best answer of each host?
-- grain: one row per crawl, stratum and status class, those that did not occur among them
-- reads: population, sites
-- parameter: denominator one of rules read answered decided all = all, sites: which are counted, as in population
-- caveat: A host counts once, by the best answer of its protocols and ports: success, then notfound, unauthorized and other, which allow all there, then forbidden, defer_visits, redirect. That hides where they differ, as http_vs_https tells.
-- caveat: success is 200; notfound 400, 404, 410; forbidden 403; unauthorized 401; defer_visits 429 and 5xx; redirect 3xx that leads to no answer; other is all else. Redirects are followed five times at most.
-- caveat: The experiments count hosts of a list that were captured; here it is every host captured, unless by is a rank.
WITH classed AS (
    SELECT
        p.crawl,
        p.stratum,
        s.url_host_name,
        p.weight,
        p.outcome,
        CASE
            WHEN s.redirect_end IS NOT NULL OR s.final_status BETWEEN 300 AND 399 THEN 'redirect'
            WHEN s.final_status = 200 THEN 'success'
            WHEN s.final_status IN (400, 404, 410) THEN 'notfound'
            WHEN s.final_status = 401 THEN 'unauthorized'
            WHEN s.final_status = 403 THEN 'forbidden'
            WHEN s.final_status = 429 OR s.final_status BETWEEN 500 AND 599 THEN 'defer_visits'
            ELSE 'other'
        END AS class
    FROM population AS p
    JOIN sites AS s ON s.crawl = p.crawl AND s.site_id = p.site_id
),
listed AS (
    SELECT *
    FROM (VALUES
        (1, 'success'),
        (2, 'notfound'),
        (3, 'unauthorized'),
        (4, 'other'),
        (5, 'forbidden'),
        (6, 'defer_visits'),
        (7, 'redirect')
    ) AS l (place, class)
),
-- Weights of host and domain are shared out among the sites of a host, the others are whole at each of them.
hosts AS (
    SELECT
        c.crawl,
        c.stratum,
        c.url_host_name,
        min(l.place) AS place,
        max(CASE WHEN c.class = 'success' AND c.outcome = 'rules' THEN 1 ELSE 0 END) AS has_rules,
        CASE WHEN $weight IN ('host', 'domain') THEN sum(c.weight) ELSE max(c.weight) END AS weight
    FROM classed AS c
    JOIN listed AS l ON l.class = c.class
    GROUP BY c.crawl, c.stratum, c.url_host_name
),
counted AS (
    SELECT crawl, stratum, place, sum(weight) AS hosts, sum(has_rules * weight) AS hosts_with_rules
    FROM hosts
    GROUP BY crawl, stratum, place
),
shown AS (
    SELECT
        c.crawl,
        c.stratum,
        l.place,
        l.class,
        sum(CASE WHEN c.place = l.place THEN c.hosts ELSE 0 END) AS hosts,
        sum(c.hosts) AS hosts_counted,
        sum(CASE WHEN c.place = l.place THEN c.hosts_with_rules ELSE 0 END) AS hosts_with_rules
    FROM counted AS c
    CROSS JOIN listed AS l
    GROUP BY c.crawl, c.stratum, l.place, l.class
)
SELECT
    crawl,
    stratum,
    class,
    hosts,
    hosts_counted,
    hosts / nullif(hosts_counted, 0) AS share,
    hosts_with_rules,
    hosts_with_rules / nullif(hosts_counted, 0) AS share_with_rules
FROM shown
ORDER BY crawl, stratum, place
