-- title: Outcomes of fetching robots.txt, in the status classes of Common Crawl's experiments
-- id: A01
-- question: What share of hosts is in each status class of Common Crawl's robots.txt experiments, by the best answer of each host?
-- grain: one row per crawl, stratum and status class, including classes without a host
-- reads: population
-- parameter: denominator = all
-- column: class: status class of the best answer of the host: success, notfound, unauthorized, payment_required, other, forbidden, defer_visits, redirect
-- column: hosts: hosts with this class
-- column: hosts_counted: the hosts that are counted, which is the denominator
-- column: share: hosts divided by hosts_counted
-- column: hosts_with_rules: of these hosts, those with a site that has the status 200 and rules; 0 unless class is success
-- column: share_with_rules: hosts_with_rules divided by hosts_counted
-- caveat: A host counts once, by the best answer of its protocols and ports. The order is success; notfound, unauthorized, payment_required and other, which the experiments take as allowing all; then forbidden, defer_visits and redirect. This hides differences within a host; http_vs_https shows them.
-- caveat: success is 200; notfound is 400, 404 and 410; forbidden is 403; unauthorized is 401; payment_required is 402, which the experiments count as other; defer_visits is 429 and 5xx; redirect is a 3xx that leads to no answer; other is everything else. At most five redirects are followed.
-- caveat: The experiments count the captured hosts of a list. Here every captured host counts, unless by is a rank.
WITH classified_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        p.url_host_name,
        p.weight,
        p.outcome,
        CASE
            WHEN p.redirect_end IS NOT NULL OR p.final_status BETWEEN 300 AND 399 THEN 'redirect'
            WHEN p.final_status = 200 THEN 'success'
            WHEN p.final_status IN (400, 404, 410) THEN 'notfound'
            WHEN p.final_status = 401 THEN 'unauthorized'
            WHEN p.final_status = 402 THEN 'payment_required'
            WHEN p.final_status = 403 THEN 'forbidden'
            WHEN p.final_status = 429 OR p.final_status BETWEEN 500 AND 599 THEN 'defer_visits'
            ELSE 'other'
        END AS class
    FROM population AS p
),
status_classes AS (
    SELECT *
    FROM (VALUES
        (1, 'success'),
        (2, 'notfound'),
        (3, 'unauthorized'),
        (4, 'payment_required'),
        (5, 'other'),
        (6, 'forbidden'),
        (7, 'defer_visits'),
        (8, 'redirect')
    ) AS l (place, class)
),
-- The sites of a host share its weight. Only with the weight site, each of them has the weight 1.
host_classes AS (
    SELECT
        s.crawl,
        s.stratum,
        s.url_host_name,
        min(c.place) AS place,
        max(CASE WHEN s.class = 'success' AND s.outcome = 'rules' THEN 1 ELSE 0 END) AS has_rules,
        CASE $weight WHEN 'site' THEN max(s.weight) ELSE sum(s.weight) END AS weight
    FROM classified_sites AS s
    JOIN status_classes AS c ON c.class = s.class
    GROUP BY s.crawl, s.stratum, s.url_host_name
),
hosts_by_class AS (
    SELECT crawl, stratum, place, sum(weight) AS hosts, sum(has_rules * weight) AS hosts_with_rules
    FROM host_classes
    GROUP BY crawl, stratum, place
),
class_shares AS (
    SELECT
        h.crawl,
        h.stratum,
        s.place,
        s.class,
        sum(CASE WHEN h.place = s.place THEN h.hosts ELSE 0 END) AS hosts,
        sum(h.hosts) AS hosts_counted,
        sum(CASE WHEN h.place = s.place THEN h.hosts_with_rules ELSE 0 END) AS hosts_with_rules
    FROM hosts_by_class AS h
    CROSS JOIN status_classes AS s
    GROUP BY h.crawl, h.stratum, s.place, s.class
)
SELECT
    crawl,
    stratum,
    class,
    hosts,
    hosts_counted,
    CAST(hosts AS double) / nullif(hosts_counted, 0) AS share,
    hosts_with_rules,
    CAST(hosts_with_rules AS double) / nullif(hosts_counted, 0) AS share_with_rules
FROM class_shares
ORDER BY crawl, stratum, place
