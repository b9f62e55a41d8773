-- title: Crawl delays, by length
-- id: G01
-- question: Which crawl delays do files set?
-- grain: one row per crawl, stratum and delay as written, most sites first
-- reads: stratum_totals, stratum_contents, bodies, records, violations
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many delays, most sites first
-- column: value: the delay as written
-- column: seconds: the delay as a number of seconds; null if the value is invalid
-- column: lines: crawl-delay lines with this value, each distinct file once
-- column: bodies: distinct files with such a line
-- column: sites: sites whose file has such a line
-- caveat: All crawl-delay lines count, for any agent, also those before the first group. A site may have several values.
-- caveat: Lines in pages in place of a robots.txt do not count.
-- caveat: A value is invalid if it has the violation crawl-delay-invalid (docs/violations.md), such as a number without a digit before its point.
WITH invalid_lines AS (
    SELECT crawl, body_id, line_no
    FROM violations
    WHERE code = 'crawl-delay-invalid'
),
body_delays AS (
    SELECT r.crawl, c.stratum, r.body_id, r.value, i.line_no IS NULL AS is_number, c.weight AS sites, count(*) AS lines
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    JOIN records AS r ON r.crawl = c.crawl AND r.body_id = c.body_id
    LEFT JOIN invalid_lines AS i ON i.crawl = r.crawl AND i.body_id = r.body_id AND i.line_no = r.line_no
    WHERE b.may_be_robots AND r.record = 'crawl-delay'
    GROUP BY r.crawl, c.stratum, r.body_id, r.value, i.line_no IS NULL, c.weight
),
delay_totals AS (
    SELECT crawl, stratum, value, is_number, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM body_delays
    GROUP BY crawl, stratum, value, is_number
),
ranked_delays AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, lines DESC, value) AS bigint) AS place
    FROM delay_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.value,
    CASE WHEN r.is_number THEN TRY_CAST(r.value AS double) END AS seconds,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share
FROM ranked_delays AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
