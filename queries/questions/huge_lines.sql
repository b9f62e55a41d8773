-- title: Sites whose robots.txt has overlong lines
-- id: B08
-- question: What share of sites has a robots.txt with a line over the length that parsers may read?
-- grain: one row per crawl, stratum and limit of the line length
-- reads: population, bodies
-- parameter: limit_bytes count = 4096, bytes: one more limit
-- parameter: denominator = read: which sites are counted, as in population; sites without a file have no lines
-- column: limit_bytes: the limit of the line length, in bytes: 1024, 2083, 16663 and --limit-bytes
-- column: sites: sites whose file has a longer line
-- column: sites_with_rules: of these sites, those whose file is a robots.txt with rules
-- column: longest_line_bytes: length of the longest line of all files of the stratum, in bytes; null if no site has a file
-- caveat: 2083 bytes is the longest URL that some software accepted. Google's parser reads 16,663 bytes of a line. Some crawlers cut a path at 1,024 bytes. RFC 9309 sets no limit.
-- caveat: The longest line of a file counts, whatever its kind, without its line end. Pages in place of a robots.txt have very long lines; sites_with_rules leaves them out, even if they have rules.
WITH longest_lines AS (
    SELECT
        p.crawl,
        p.stratum,
        b.longest_line_bytes,
        sum(p.weight) AS sites,
        sum(CASE WHEN p.outcome = 'rules' THEN p.weight ELSE 0 END) AS sites_with_rules
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, b.longest_line_bytes
),
line_limits AS (
    SELECT 1024 AS limit_bytes UNION SELECT 2083 UNION SELECT 16663 UNION SELECT $limit_bytes
),
sites_by_limit AS (
    SELECT
        l.crawl,
        l.stratum,
        i.limit_bytes,
        sum(CASE WHEN l.longest_line_bytes > i.limit_bytes THEN l.sites ELSE 0 END) AS sites,
        sum(l.sites) AS sites_counted,
        sum(CASE WHEN l.longest_line_bytes > i.limit_bytes THEN l.sites_with_rules ELSE 0 END) AS sites_with_rules,
        max(l.longest_line_bytes) AS longest_line_bytes
    FROM longest_lines AS l
    CROSS JOIN line_limits AS i
    GROUP BY l.crawl, l.stratum, i.limit_bytes
)
SELECT
    crawl,
    stratum,
    limit_bytes,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    sites_with_rules,
    longest_line_bytes
FROM sites_by_limit
ORDER BY crawl, stratum, limit_bytes
