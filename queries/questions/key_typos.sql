-- title: Misspelt keys
-- id: C04
-- question: Which misspelt keys do robots.txt files have, how often, and does Google's parser accept them?
-- grain: one row per crawl, stratum and spelling, most sites first
-- reads: stratum_totals, stratum_contents, violations
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many spellings per crawl and stratum, those with the most sites first
-- column: spelling: the misspelt key, in lower case
-- column: is_read_by_google: true if Google's published parser accepts this spelling
-- column: lines: lines with this spelling, in distinct files
-- column: sites: sites whose file has a line with this spelling
-- caveat: A misspelling is one edit away from user-agent, allow, disallow, sitemap or crawl-delay (a character is missing, added, replaced or swapped with its neighbour), or it is dissalow, dssalow or content-signals. Any known key with white space or an invisible character inside counts as well.
-- caveat: No row means that no counted file has such a key. Keys with more mistakes are in unknown_keys, and keys without a colon in missing_colon_or_space_sep.
-- caveat: is_read_by_google is judged by the spelling alone. Google's published parser (google/robotstxt) accepts keys that start like user-agent, allow, disallow or sitemap, or with one of its listed misspellings. It does not know crawl-delay.
WITH misspelt_keys AS (
    SELECT v.crawl, c.stratum, v.body_id, lower(v.excerpt) AS spelling, c.weight AS sites, count(*) AS lines
    FROM stratum_contents AS c
    JOIN violations AS v ON v.crawl = c.crawl AND v.body_id = c.body_id
    WHERE v.code IN ('key-misspelt', 'record-key-misspelt', 'key-bad-whitespace')
    GROUP BY v.crawl, c.stratum, v.body_id, lower(v.excerpt), c.weight
),
spelling_totals AS (
    SELECT crawl, stratum, spelling, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM misspelt_keys
    GROUP BY crawl, stratum, spelling
),
ranked_spellings AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, lines DESC, spelling) AS bigint) AS place
    FROM spelling_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.spelling,
    starts_with(r.spelling, 'user-agent')
        OR starts_with(r.spelling, 'useragent')
        OR starts_with(r.spelling, 'user agent')
        OR starts_with(r.spelling, 'allow')
        OR starts_with(r.spelling, 'disallow')
        OR starts_with(r.spelling, 'dissallow')
        OR starts_with(r.spelling, 'dissalow')
        OR starts_with(r.spelling, 'disalow')
        OR starts_with(r.spelling, 'diasllow')
        OR starts_with(r.spelling, 'disallaw')
        OR starts_with(r.spelling, 'sitemap')
        OR starts_with(r.spelling, 'site-map') AS is_read_by_google,
    r.lines,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share
FROM ranked_spellings AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
