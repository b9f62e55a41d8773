-- title: Lines, groups and rules of a robots.txt file
-- id: B05
-- question: How many lines, groups, agents, rules and other records does the robots.txt of a site have?
-- grain: one row per crawl, stratum and thing counted
-- reads: population, bodies
-- parameter: denominator = rules: which sites are counted, as in population; sites without a file have nothing to count and are not in sites_counted
-- column: counted: lines, comment lines, groups, agents (user-agent lines), rules, allow rules, disallow rules, other records, sitemaps
-- column: sites_with_any: sites whose file has at least one of them
-- column: sites_counted: counted sites with a file that was read, which is the denominator
-- column: share_with_any: sites_with_any divided by sites_counted
-- column: mean: mean number per file, over all counted sites
-- column: p10: smallest number that the files of at least 10 % of sites do not exceed
-- column: p25: smallest number that the files of at least 25 % of sites do not exceed
-- column: median: smallest number that the files of at least 50 % of sites do not exceed
-- column: p75: smallest number that the files of at least 75 % of sites do not exceed
-- column: p90: smallest number that the files of at least 90 % of sites do not exceed
-- column: p99: smallest number that the files of at least 99 % of sites do not exceed
-- column: most: greatest number in a file
-- caveat: Files are counted once per site: a file that a thousand sites serve counts a thousand times. By default only files with rules count.
-- caveat: The row agents counts user-agent lines: an agent named twice counts twice. A quantile is the smallest number that at least that share of sites does not exceed.
WITH file_counts AS (
    SELECT
        p.crawl,
        p.stratum,
        b.line_count,
        b.comment_lines,
        b.group_count,
        b.agent_count,
        b.rule_count,
        b.allow_count,
        b.disallow_count,
        b.record_count,
        b.sitemap_count,
        sum(p.weight) AS sites,
        sum(p.weight_slack) AS weight_slack
    FROM population AS p
    JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY
        p.crawl, p.stratum, b.line_count, b.comment_lines, b.group_count, b.agent_count, b.rule_count, b.allow_count,
        b.disallow_count, b.record_count, b.sitemap_count
),
sites_by_number AS (
    SELECT
        f.crawl,
        f.stratum,
        l.place,
        l.counted,
        CASE l.counted
            WHEN 'lines' THEN f.line_count
            WHEN 'comment lines' THEN f.comment_lines
            WHEN 'groups' THEN f.group_count
            WHEN 'agents' THEN f.agent_count
            WHEN 'rules' THEN f.rule_count
            WHEN 'allow rules' THEN f.allow_count
            WHEN 'disallow rules' THEN f.disallow_count
            WHEN 'other records' THEN f.record_count
            ELSE f.sitemap_count
        END AS number,
        sum(f.sites) AS sites,
        sum(f.weight_slack) AS weight_slack
    FROM file_counts AS f
    CROSS JOIN (VALUES
        (1, 'lines'),
        (2, 'comment lines'),
        (3, 'groups'),
        (4, 'agents'),
        (5, 'rules'),
        (6, 'allow rules'),
        (7, 'disallow rules'),
        (8, 'other records'),
        (9, 'sitemaps')
    ) AS l (place, counted)
    GROUP BY 1, 2, 3, 4, 5
),
cumulative_sites AS (
    SELECT
        *,
        sum(sites) OVER (
            PARTITION BY crawl, stratum, counted ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS sites_so_far,
        sum(sites) OVER (PARTITION BY crawl, stratum, counted) AS sites_counted,
        sum(weight_slack) OVER (PARTITION BY crawl, stratum, counted) AS slack
    FROM sites_by_number
),
-- Rounding must not move an exact boundary. At most half of the rest counts, so that the quantile 1 stays exact.
cumulative_shares AS (
    SELECT *, CAST(sites_so_far + least(slack, (sites_counted - sites_so_far) / 2) AS double) / nullif(sites_counted, 0) AS share_so_far
    FROM cumulative_sites
)
SELECT
    crawl,
    stratum,
    counted,
    sum(CASE WHEN number > 0 THEN sites ELSE 0 END) AS sites_with_any,
    sum(sites) AS sites_counted,
    CAST(sum(CASE WHEN number > 0 THEN sites ELSE 0 END) AS double) / nullif(sum(sites), 0) AS share_with_any,
    CAST(sum(number * sites) AS double) / nullif(sum(sites), 0) AS mean,
    min(CASE WHEN share_so_far >= 0.1 THEN number END) AS p10,
    min(CASE WHEN share_so_far >= 0.25 THEN number END) AS p25,
    min(CASE WHEN share_so_far >= 0.5 THEN number END) AS median,
    min(CASE WHEN share_so_far >= 0.75 THEN number END) AS p75,
    min(CASE WHEN share_so_far >= 0.9 THEN number END) AS p90,
    min(CASE WHEN share_so_far >= 0.99 THEN number END) AS p99,
    max(number) AS most
FROM cumulative_shares
GROUP BY crawl, stratum, place, counted
ORDER BY crawl, stratum, place
