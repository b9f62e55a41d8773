-- title: Keys that no standard and no known extension has
-- id: C03
-- question: Which keys do files hold that neither RFC 9309 nor a known extension knows?
-- grain: one row per crawl and key, of the keys that most sites have
-- reads: crawl_totals, contents, violations, records
-- parameter: top integer = 50, rows: how many keys of each crawl, those of the most sites first
-- caveat: only lines of files that are otherwise robots.txt count; a page without a user-agent line or rule is one mistake (html_masquerade) and not as many keys as it has colons
-- caveat: pieces of style sheets and scripts that were served along with rules are among them
-- caveat: keys that are taken for a misspelling of a known key are another question (key_typos), as are the known other records (other_records)
WITH unknown_lines AS (
    SELECT crawl, body_id, line_no
    FROM violations
    WHERE code = 'ext-unknown'
),
body_keys AS (
    SELECT r.crawl, r.body_id, r.key, c.sites, count(*) AS lines
    FROM unknown_lines AS u
    JOIN records AS r ON r.crawl = u.crawl AND r.body_id = u.body_id AND r.line_no = u.line_no
    JOIN contents AS c ON c.crawl = u.crawl AND c.body_id = u.body_id
    GROUP BY r.crawl, r.body_id, r.key, c.sites
),
key_totals AS (
    SELECT crawl, key, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM body_keys
    GROUP BY crawl, key
),
ranked_keys AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, bodies DESC, lines DESC, key) AS bigint) AS place
    FROM key_totals
)
SELECT
    r.crawl,
    r.place,
    r.key,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / c.sites_counted AS share
FROM ranked_keys AS r
JOIN crawl_totals AS c ON c.crawl = r.crawl
WHERE r.place <= $top
ORDER BY r.crawl, r.place
