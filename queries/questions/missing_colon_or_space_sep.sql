-- title: Known keys without a colon
-- id: C05
-- question: What share of sites has lines with a known key but without a colon?
-- grain: one row per crawl and key
-- reads: crawl_totals, contents, violations
-- caveat: The key is all text before the first blank, so that disallow; is a key of its own.
-- caveat: We understand such a line, as Google's published parser does. The grammar does not allow it, and other parsers drop it.
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
