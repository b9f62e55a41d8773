-- title: Known keys without a colon
-- id: C05
-- question: Which share of sites has lines on which a known key stands without its colon?
-- grain: one row per crawl and key
-- reads: crawl_totals, contents, violations
-- caveat: the key is all that stands before the first blank, so that disallow; is one
-- caveat: such a line is understood here, as Google's published parser understands it; the grammar does not derive it, and other parsers drop it
WITH colonless_keys AS (
    SELECT v.crawl, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)) AS key, c.sites, count(*) AS lines
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.code = 'colon-missing'
    GROUP BY v.crawl, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)), c.sites
)
SELECT
    c.crawl,
    c.key,
    sum(c.lines) AS lines,
    count(*) AS bodies,
    sum(c.sites) AS sites,
    t.sites_counted,
    CAST(sum(c.sites) AS double) / t.sites_counted AS share
FROM colonless_keys AS c
JOIN crawl_totals AS t ON t.crawl = c.crawl
GROUP BY c.crawl, c.key, t.sites_counted
ORDER BY c.crawl, sites DESC, c.key
