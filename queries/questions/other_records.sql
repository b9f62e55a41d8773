-- title: Known records besides rules
-- id: G04
-- question: Which share of sites has the other records that are known: Host, Clean-param, Request-rate, Visit-time, Noindex and their like?
-- grain: one row per crawl and kind of record
-- reads: crawl_totals, contents, violations, records
-- caveat: RFC 9309 section 2.2.4 permits such records, and no crawler need read them
-- caveat: the commonest value is the one of the most sites
WITH known AS (
    SELECT v.crawl, v.body_id, v.code, v.line_no, c.sites
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.tier = 'B' AND v.code <> 'ext-unknown'
),
held AS (
    SELECT crawl, body_id, code, sites, count(*) AS lines
    FROM known
    GROUP BY crawl, body_id, code, sites
),
summed AS (
    SELECT crawl, code, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM held
    GROUP BY crawl, code
),
-- Sitemaps are too many to look at one by one, and hardly any is in two files.
valued AS (
    SELECT k.crawl, k.code, r.value, sum(k.sites) AS sites
    FROM (SELECT DISTINCT crawl, body_id, code, line_no, sites FROM known WHERE code <> 'ext-sitemap') AS k
    JOIN records AS r ON r.crawl = k.crawl AND r.body_id = k.body_id AND r.line_no = k.line_no
    GROUP BY k.crawl, k.code, r.value
),
commonest AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, code ORDER BY sites DESC, value) AS bigint) AS place,
        count(*) OVER (PARTITION BY crawl, code) AS distinct_values
    FROM valued
)
SELECT
    s.crawl,
    s.code,
    s.lines,
    s.bodies,
    s.sites,
    n.sites_counted,
    CAST(s.sites AS double) / n.sites_counted AS share,
    v.distinct_values,
    v.value AS commonest_value
FROM summed AS s
JOIN crawl_totals AS n ON n.crawl = s.crawl
LEFT JOIN commonest AS v ON v.crawl = s.crawl AND v.code = s.code AND v.place = 1
ORDER BY s.crawl, s.sites DESC, s.code
