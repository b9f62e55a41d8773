-- title: Known keys without a colon
-- id: C05
-- question: What share of sites has lines with a known key but without a colon?
-- grain: one row per crawl, stratum and key
-- reads: stratum_totals, stratum_contents, violations
-- parameter: denominator = read
-- column: key: the text before the first blank of the line, in lower case
-- column: lines: lines with this key and without a colon, in distinct files
-- column: sites: sites whose file has such a line
-- caveat: The key is all text before the first blank, so disallow; is a key of its own.
-- caveat: robocensus understands such a line, as Google's published parser does. The grammar does not allow it, and other parsers drop it.
WITH colonless_keys AS (
    SELECT v.crawl, c.stratum, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)) AS key, c.weight AS sites, count(*) AS lines
    FROM violations AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.code = 'colon-missing'
    GROUP BY v.crawl, c.stratum, v.body_id, lower(split_part(replace(v.excerpt, chr(9), ' '), ' ', 1)), c.weight
)
SELECT
    c.crawl,
    c.stratum,
    c.key,
    sum(c.lines) AS lines,
    count(*) AS bodies,
    sum(c.sites) AS sites,
    t.sites_counted,
    CAST(sum(c.sites) AS double) / nullif(t.sites_counted, 0) AS share
FROM colonless_keys AS c
JOIN stratum_totals AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
GROUP BY c.crawl, c.stratum, c.key, t.sites_counted
ORDER BY c.crawl, c.stratum, sum(c.sites) DESC, c.key
