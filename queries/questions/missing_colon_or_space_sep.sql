-- title: Known keys without a colon
-- id: C05
-- question: Which share of sites has lines on which a known key stands without its colon?
-- grain: one row per crawl and key
-- reads: crawl_totals, contents, violations
-- caveat: the key is all that stands before the first blank, so that disallow; is one
-- caveat: such a line is understood here, as Google's published parser understands it; the grammar does not derive it, and other parsers drop it
WITH colonless AS (
    SELECT v.crawl, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)) AS key, c.sites, count(*) AS lines
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.code = 'colon-missing'
    GROUP BY v.crawl, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)), c.sites
)
SELECT
    k.crawl,
    k.key,
    sum(k.lines) AS lines,
    count(*) AS bodies,
    sum(k.sites) AS sites,
    n.sites_counted,
    CAST(sum(k.sites) AS double) / n.sites_counted AS share
FROM colonless AS k
JOIN crawl_totals AS n ON n.crawl = k.crawl
GROUP BY k.crawl, k.key, n.sites_counted
ORDER BY k.crawl, sites DESC, k.key
