-- title: Known records other than rules
-- id: G04
-- question: What share of sites has other known records, such as Host, Clean-param, Request-rate, Visit-time or Noindex?
-- grain: one row per crawl, stratum and kind of record
-- reads: stratum_totals, stratum_contents, bodies, violations, records
-- parameter: denominator = read
-- column: code: the kind of record, by its violation code, such as ext-host; docs/violations.md lists them
-- column: lines: lines of this kind, each distinct file once
-- column: bodies: distinct files with such a line
-- column: sites: sites whose file has such a line
-- column: distinct_values: how many different values these lines have; null for ext-sitemap
-- column: commonest_value: the value on the most sites, the alphabetically first of several; null for ext-sitemap
-- caveat: RFC 9309 section 2.2.4 permits such records. No crawler has to read them.
-- caveat: Lines in pages in place of a robots.txt do not count, and neither do lines whose key is misspelt or has no colon, which have other codes.
-- caveat: commonest_value is the value on the most sites.
WITH known_lines AS (
    SELECT v.crawl, c.stratum, v.body_id, v.code, v.line_no, c.weight AS sites
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    JOIN violations AS v ON v.crawl = c.crawl AND v.body_id = c.body_id
    WHERE b.may_be_robots AND v.tier = 'B' AND v.code <> 'ext-unknown'
),
record_bodies AS (
    SELECT crawl, stratum, body_id, code, sites, count(*) AS lines
    FROM known_lines
    GROUP BY crawl, stratum, body_id, code, sites
),
record_totals AS (
    SELECT crawl, stratum, code, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM record_bodies
    GROUP BY crawl, stratum, code
),
-- Sitemaps have too many values to count, and few values are in two files.
body_values AS (
    SELECT DISTINCT k.crawl, k.stratum, k.body_id, k.code, r.value, k.sites
    FROM known_lines AS k
    JOIN records AS r ON r.crawl = k.crawl AND r.body_id = k.body_id AND r.line_no = k.line_no
    WHERE k.code <> 'ext-sitemap'
),
value_totals AS (
    SELECT crawl, stratum, code, value, sum(sites) AS sites FROM body_values GROUP BY crawl, stratum, code, value
),
ranked_values AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum, code ORDER BY sites DESC, value) AS bigint) AS place,
        count(*) OVER (PARTITION BY crawl, stratum, code) AS distinct_values
    FROM value_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.code,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share,
    v.distinct_values,
    v.value AS commonest_value
FROM record_totals AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
LEFT JOIN ranked_values AS v ON v.crawl = r.crawl AND v.stratum = r.stratum AND v.code = r.code AND v.place = 1
ORDER BY r.crawl, r.stratum, r.sites DESC, r.code
