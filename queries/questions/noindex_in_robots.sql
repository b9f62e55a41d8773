-- title: Noindex in robots.txt
-- id: G05
-- question: What share of sites has Noindex, Nofollow or Noarchive lines, which are in no standard, and are the same paths also disallowed?
-- grain: one row per crawl, stratum and key
-- reads: stratum_totals, stratum_contents, bodies, records, rules
-- parameter: denominator = read
-- column: key: noindex, nofollow, noarchive
-- column: lines: lines with this key, each distinct file once
-- column: lines_disallowed: how many of these lines have a Disallow line for the same path in their group
-- column: bodies: distinct files with a line with this key
-- column: sites: sites whose file has a line with this key
-- column: sites_everything: sites whose file has such a line for all paths: /, /* or *
-- column: sites_relying_on_it: sites whose file has such a line without a Disallow line for the same path in its group
-- caveat: Google stopped reading Noindex in robots.txt in September 2019. A path that only such a line names may be crawled and indexed.
-- caveat: lines_disallowed counts lines with a Disallow line for the same path in the same group. Paths are compared as written. A Disallow line with a shorter path may cover more lines.
WITH noindex_lines AS (
    SELECT r.crawl, c.stratum, r.body_id, r.line_no, r.group_no, r.record AS key, r.value, c.weight AS sites
    FROM records AS r
    JOIN stratum_contents AS c ON c.crawl = r.crawl AND c.body_id = r.body_id
    JOIN bodies AS b ON b.crawl = r.crawl AND b.body_id = r.body_id
    WHERE r.record IN ('noindex', 'nofollow', 'noarchive') AND b.may_be_robots
),
-- Each path once, however many lines name it, so that the time does not grow with the square of a file.
noindex_paths AS (
    SELECT DISTINCT crawl, body_id, group_no, value FROM noindex_lines
),
disallowed_paths AS (
    SELECT DISTINCT n.crawl, n.body_id, n.group_no, n.value
    FROM noindex_paths AS n
    JOIN rules AS r ON r.crawl = n.crawl AND r.body_id = n.body_id AND r.group_no = n.group_no AND r.pattern = n.value
    WHERE NOT r.allow
),
noindex_bodies AS (
    SELECT
        n.crawl,
        n.stratum,
        n.body_id,
        n.key,
        n.sites,
        count(*) AS lines,
        sum(CASE WHEN n.value IN ('/', '/*', '*') THEN 1 ELSE 0 END) AS lines_everything,
        count(d.body_id) AS lines_disallowed
    FROM noindex_lines AS n
    LEFT JOIN disallowed_paths AS d ON d.crawl = n.crawl AND d.body_id = n.body_id AND d.group_no = n.group_no AND d.value = n.value
    GROUP BY n.crawl, n.stratum, n.body_id, n.key, n.sites
)
SELECT
    n.crawl,
    n.stratum,
    n.key,
    sum(n.lines) AS lines,
    sum(n.lines_disallowed) AS lines_disallowed,
    count(*) AS bodies,
    sum(n.sites) AS sites,
    c.sites_counted,
    CAST(sum(n.sites) AS double) / nullif(c.sites_counted, 0) AS share,
    sum(CASE WHEN n.lines_everything > 0 THEN n.sites ELSE 0 END) AS sites_everything,
    sum(CASE WHEN n.lines_disallowed < n.lines THEN n.sites ELSE 0 END) AS sites_relying_on_it
FROM noindex_bodies AS n
JOIN stratum_totals AS c ON c.crawl = n.crawl AND c.stratum = n.stratum
GROUP BY n.crawl, n.stratum, n.key, c.sites_counted
ORDER BY n.crawl, n.stratum, sum(n.sites) DESC, n.key
