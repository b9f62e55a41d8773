-- title: Crawl delays, by length
-- id: G01
-- question: How long are the crawl delays that files ask for?
-- grain: one row per crawl and delay as it is written, of those that most sites ask for
-- reads: crawl_totals, contents, records, violations
-- parameter: top integer = 50, rows: how many delays, those of the most sites first
-- caveat: the values are those of all crawl-delay lines, for whatever agent and before any; a site may ask for several
-- caveat: a value is no number of seconds if docs/violations.md says crawl-delay-invalid of it, so that a number without a digit before its point is none
WITH invalid_lines AS (
    SELECT crawl, body_id, line_no
    FROM violations
    WHERE code = 'crawl-delay-invalid'
),
body_delays AS (
    SELECT r.crawl, r.body_id, r.value, i.line_no IS NULL AS is_number, c.sites, count(*) AS lines
    FROM records AS r
    JOIN contents AS c ON c.crawl = r.crawl AND c.body_id = r.body_id
    LEFT JOIN invalid_lines AS i ON i.crawl = r.crawl AND i.body_id = r.body_id AND i.line_no = r.line_no
    WHERE r.key = 'crawl-delay'
    GROUP BY r.crawl, r.body_id, r.value, i.line_no IS NULL, c.sites
),
delay_totals AS (
    SELECT crawl, value, is_number, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM body_delays
    GROUP BY crawl, value, is_number
),
ranked_delays AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, bodies DESC, lines DESC, value) AS bigint) AS place
    FROM delay_totals
)
SELECT
    r.crawl,
    r.place,
    r.value,
    CASE WHEN r.is_number THEN TRY_CAST(r.value AS double) END AS seconds,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / c.sites_counted AS share
FROM ranked_delays AS r
JOIN crawl_totals AS c ON c.crawl = r.crawl
WHERE r.place <= $top
ORDER BY r.crawl, r.place
