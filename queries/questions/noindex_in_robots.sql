-- title: Noindex in robots.txt
-- id: G05
-- question: Which share of sites has Noindex, Nofollow or Noarchive lines, which no standard has, and are the same paths disallowed as well?
-- grain: one row per crawl and key
-- reads: crawl_totals, contents, bodies, records, rules
-- caveat: Google stopped reading Noindex in robots.txt in September 2019; a path that such a line alone names is crawled and indexed
-- caveat: lines_disallowed are those with a Disallow line of the same path in the same group; a shorter Disallow line may cover others
WITH asked AS (
    SELECT r.crawl, r.body_id, r.line_no, r.group_no, r.key, r.value, c.sites
    FROM records AS r
    JOIN contents AS c ON c.crawl = r.crawl AND c.body_id = r.body_id
    JOIN bodies AS b ON b.crawl = r.crawl AND b.body_id = r.body_id
    WHERE r.key IN ('noindex', 'nofollow', 'noarchive') AND b.kind NOT IN ('html', 'xml', 'json', 'binary')
),
refused AS (
    SELECT DISTINCT a.crawl, a.body_id, a.line_no
    FROM asked AS a
    JOIN rules AS r ON r.crawl = a.crawl AND r.body_id = a.body_id AND r.group_no = a.group_no AND r.pattern = a.value
    WHERE NOT r.allow
),
held AS (
    SELECT
        a.crawl,
        a.body_id,
        a.key,
        a.sites,
        count(*) AS lines,
        sum(CASE WHEN a.value IN ('/', '/*', '*') THEN 1 ELSE 0 END) AS lines_everything,
        count(r.line_no) AS lines_disallowed
    FROM asked AS a
    LEFT JOIN refused AS r ON r.crawl = a.crawl AND r.body_id = a.body_id AND r.line_no = a.line_no
    GROUP BY a.crawl, a.body_id, a.key, a.sites
)
SELECT
    h.crawl,
    h.key,
    sum(h.lines) AS lines,
    sum(h.lines_disallowed) AS lines_disallowed,
    count(*) AS bodies,
    sum(h.sites) AS sites,
    n.sites_counted,
    CAST(sum(h.sites) AS double) / n.sites_counted AS share,
    sum(CASE WHEN h.lines_everything > 0 THEN h.sites ELSE 0 END) AS sites_everything,
    sum(CASE WHEN h.lines_disallowed < h.lines THEN h.sites ELSE 0 END) AS sites_relying_on_it
FROM held AS h
JOIN crawl_totals AS n ON n.crawl = h.crawl
GROUP BY h.crawl, h.key, n.sites_counted
ORDER BY h.crawl, sites DESC, h.key
