-- title: Sitemaps
-- id: G02
-- question: Which share of sites names sitemaps, how many, and how many of them are named in a way that cannot be followed?
-- grain: one row per crawl and fact: how many lines a site has, or what is wrong with one of them
-- reads: contents, bodies, records, violations
-- parameter: many integer = 50, lines: more than so many sitemaps are many
-- caveat: the facts none, one, some and many are exclusive; those of wrong lines are not
-- caveat: sitemap lines of pages that are no robots.txt are none
WITH held AS (
    SELECT b.crawl, b.body_id, CASE WHEN b.kind IN ('html', 'xml', 'json', 'binary') THEN 0 ELSE b.sitemap_count END AS lines, c.sites
    FROM bodies AS b
    JOIN contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
),
counted AS (
    SELECT crawl, sum(sites) AS sites_counted, sum(lines) AS lines_counted
    FROM held
    GROUP BY crawl
),
wrong AS (
    SELECT crawl, body_id, code AS fact, count(*) AS lines
    FROM violations
    WHERE starts_with(code, 'sitemap-')
    GROUP BY crawl, body_id, code
    UNION ALL
    -- What is not UTF-8 was replaced as it was read.
    SELECT crawl, body_id, 'not UTF-8', count(*) AS lines
    FROM records
    WHERE key = 'sitemap' AND value LIKE '%' || chr(65533) || '%'
    GROUP BY crawl, body_id
),
facts AS (
    SELECT
        crawl,
        CASE WHEN lines = 0 THEN 'none' WHEN lines = 1 THEN 'one' WHEN lines <= $many THEN 'some' ELSE 'many' END AS fact,
        lines,
        sites
    FROM held
    UNION ALL
    SELECT h.crawl, w.fact, w.lines, h.sites
    FROM wrong AS w
    JOIN held AS h ON h.crawl = w.crawl AND h.body_id = w.body_id
    WHERE h.lines > 0
)
SELECT
    f.crawl,
    f.fact,
    sum(f.lines) AS lines,
    n.lines_counted,
    CAST(sum(f.lines) AS double) / nullif(n.lines_counted, 0) AS share_of_lines,
    count(*) AS bodies,
    sum(f.sites) AS sites,
    n.sites_counted,
    CAST(sum(f.sites) AS double) / n.sites_counted AS share
FROM facts AS f
JOIN counted AS n ON n.crawl = f.crawl
GROUP BY f.crawl, f.fact, n.lines_counted, n.sites_counted
ORDER BY
    f.crawl,
    CASE f.fact WHEN 'none' THEN 0 WHEN 'one' THEN 1 WHEN 'some' THEN 2 WHEN 'many' THEN 3 ELSE 4 END,
    sites DESC,
    f.fact
