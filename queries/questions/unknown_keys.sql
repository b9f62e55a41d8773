-- title: Keys that no standard and no known extension has
-- id: C03
-- question: Which keys do files hold that neither RFC 9309 nor a known extension knows?
-- grain: one row per crawl and key, of the keys that most sites have
-- reads: crawl_totals, contents, violations, records
-- parameter: top integer = 50, rows: how many keys of each crawl, those of the most sites first
-- caveat: only lines of files that are otherwise robots.txt count; a page without a user-agent line or rule is one mistake (html_masquerade) and not as many keys as it has colons
-- caveat: pieces of style sheets and scripts that were served along with rules are among them
-- caveat: keys that are taken for a misspelling of a known key are another question (key_typos), as are the known other records (other_records)
WITH unknown AS (
    SELECT crawl, body_id, line_no
    FROM violations
    WHERE code = 'ext-unknown'
),
held AS (
    SELECT r.crawl, r.body_id, r.key, c.sites, count(*) AS lines
    FROM unknown AS u
    JOIN records AS r ON r.crawl = u.crawl AND r.body_id = u.body_id AND r.line_no = u.line_no
    JOIN contents AS c ON c.crawl = u.crawl AND c.body_id = u.body_id
    GROUP BY r.crawl, r.body_id, r.key, c.sites
),
keys AS (
    SELECT crawl, key, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM held
    GROUP BY crawl, key
),
ranked AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, bodies DESC, lines DESC, key) AS bigint) AS place
    FROM keys
)
SELECT
    k.crawl,
    k.place,
    k.key,
    k.lines,
    k.bodies,
    k.sites,
    n.sites_counted,
    CAST(k.sites AS double) / n.sites_counted AS share
FROM ranked AS k
JOIN crawl_totals AS n ON n.crawl = k.crawl
WHERE k.place <= $top
ORDER BY k.crawl, k.place
