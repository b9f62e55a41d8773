-- title: Keys in no standard and no known extension
-- id: C03
-- question: Which keys do files have that are neither in RFC 9309 nor in a known extension?
-- grain: one row per crawl, stratum and key, most sites first
-- reads: stratum_totals, stratum_contents, violations, records
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many keys per crawl and stratum, those with the most sites first
-- column: key: the key, in lower case
-- column: lines: lines with this key, in distinct files
-- column: sites: sites whose file has a line with this key
-- caveat: Only lines of robots.txt files count. A page without a user-agent line or rule counts as one mistake, in html_masquerade, not as a key for each line with a colon.
-- caveat: Pieces of style sheets and scripts that were served together with rules count as keys.
-- caveat: For misspellings of known keys see key_typos, for known other records see other_records.
WITH unknown_lines AS (
    SELECT crawl, body_id, line_no
    FROM violations
    WHERE code = 'ext-unknown'
),
body_keys AS (
    SELECT r.crawl, c.stratum, r.body_id, r.key, c.weight AS sites, count(*) AS lines
    FROM unknown_lines AS u
    JOIN records AS r ON r.crawl = u.crawl AND r.body_id = u.body_id AND r.line_no = u.line_no
    JOIN stratum_contents AS c ON c.crawl = u.crawl AND c.body_id = u.body_id
    GROUP BY r.crawl, c.stratum, r.body_id, r.key, c.weight
),
key_totals AS (
    SELECT crawl, stratum, key, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM body_keys
    GROUP BY crawl, stratum, key
),
ranked_keys AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, lines DESC, key) AS bigint) AS place
    FROM key_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.key,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share
FROM ranked_keys AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
