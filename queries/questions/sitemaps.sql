-- title: Sitemaps
-- id: G02
-- question: What share of sites names sitemaps, how many, and how many of these are invalid?
-- grain: one row per crawl, stratum and fact: the number of sitemap lines of a site, or a fault of such a line
-- reads: strata, stratum_contents, bodies, records, violations
-- parameter: denominator = read
-- parameter: many count = 50, lines: more sitemap lines than this are many
-- column: fact: none, one, some, many: number of sitemap lines (--many); or a fault: not UTF-8, or a violation in docs/violations.md
-- column: lines: sitemap lines of the files with this fact, or those with this fault; each distinct file once
-- column: lines_counted: all sitemap lines, each distinct file once
-- column: share_of_lines: lines divided by lines_counted; null if no file has a sitemap line
-- column: bodies: distinct files with this fact
-- column: sites: sites whose file has this fact
-- caveat: A site whose file was read has exactly one of the facts about the number of lines, and may have several faults. A site without a file has no fact.
-- caveat: Sitemap lines in pages in place of a robots.txt do not count.
WITH body_sitemaps AS (
    SELECT b.crawl, c.stratum, b.body_id, CASE WHEN b.may_be_robots THEN b.sitemap_count ELSE 0 END AS lines, c.weight AS sites
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
),
sitemap_totals AS (
    SELECT s.crawl, s.stratum, s.sites_counted, sum(b.lines) AS lines_counted
    FROM strata AS s
    JOIN body_sitemaps AS b ON b.crawl = s.crawl AND b.stratum = s.stratum
    GROUP BY s.crawl, s.stratum, s.sites_counted
),
sitemap_faults AS (
    SELECT crawl, body_id, code AS fact, count(*) AS lines
    FROM violations
    WHERE starts_with(code, 'sitemap-')
    GROUP BY crawl, body_id, code
    UNION ALL
    -- Bytes that are not UTF-8 were replaced by this character.
    SELECT crawl, body_id, 'not UTF-8', count(*) AS lines
    FROM records
    WHERE record = 'sitemap' AND value LIKE '%' || chr(65533) || '%'
    GROUP BY crawl, body_id
),
sitemap_facts AS (
    SELECT
        crawl,
        stratum,
        CASE WHEN lines = 0 THEN 'none' WHEN lines = 1 THEN 'one' WHEN lines <= $many THEN 'some' ELSE 'many' END AS fact,
        lines,
        sites
    FROM body_sitemaps
    UNION ALL
    SELECT b.crawl, b.stratum, s.fact, s.lines, b.sites
    FROM sitemap_faults AS s
    JOIN body_sitemaps AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    WHERE b.lines > 0
)
SELECT
    s.crawl,
    s.stratum,
    s.fact,
    sum(s.lines) AS lines,
    t.lines_counted,
    CAST(sum(s.lines) AS double) / nullif(t.lines_counted, 0) AS share_of_lines,
    count(*) AS bodies,
    sum(s.sites) AS sites,
    t.sites_counted,
    CAST(sum(s.sites) AS double) / nullif(t.sites_counted, 0) AS share
FROM sitemap_facts AS s
JOIN sitemap_totals AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
GROUP BY s.crawl, s.stratum, s.fact, t.lines_counted, t.sites_counted
ORDER BY
    s.crawl,
    s.stratum,
    CASE s.fact WHEN 'none' THEN 0 WHEN 'one' THEN 1 WHEN 'some' THEN 2 WHEN 'many' THEN 3 ELSE 4 END,
    sum(s.sites) DESC,
    s.fact
