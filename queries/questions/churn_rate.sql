-- title: Rules that change between two crawls
-- id: H05
-- question: What share of robots.txt files stayed the same between two crawls, and how many rules did the others gain and lose?
-- grain: one row per stratum and size of the change, including sizes that no site has
-- reads: panel, bodies, groups, rules
-- no crawl: it compares two crawls; choose them with --crawl-from and --crawl-to
-- parameter: compared count = 100000, agents times rules: files whose agents times rules exceed this in either crawl are counted but not compared
-- column: crawl_from: the first of the two crawls
-- column: crawl_to: the last of the two crawls
-- column: change: how many rules the file lost and gained in all: none, 1, 2 to 10, 11 to 100, over 100, or too many to compare
-- column: sites: sites whose file changed by this much
-- column: sites_counted: sites whose file was read in both crawls
-- column: rules_gained: rules that the files of these sites gained, added up over the sites; null if they were not compared
-- column: rules_lost: rules that the files of these sites lost, added up over the sites; null if they were not compared
-- caveat: Only sites whose file was read in both crawls count.
-- caveat: A rule is an agent, allow or disallow, and a normalised pattern. A line in a group of three agents is three rules. A repeated rule is one rule. The order of rules does not matter.
-- caveat: A changed pattern is one rule lost and one rule gained. Of files that are not compared, the number of such rules is unknown: it is null.
WITH file_pairs AS (
    SELECT
        p.crawl_from,
        p.crawl_to,
        p.stratum,
        p.body_from,
        p.body_to,
        CASE
            WHEN f.content_digest = t.content_digest THEN 1
            WHEN f.ruleset_digest = t.ruleset_digest THEN 2
            WHEN CAST(f.agent_count AS bigint) * f.rule_count > $compared OR CAST(t.agent_count AS bigint) * t.rule_count > $compared THEN 8
        END AS place
    FROM panel AS p
    JOIN bodies AS f ON f.crawl = p.crawl_from AND f.body_id = p.body_from
    JOIN bodies AS t ON t.crawl = p.crawl_to AND t.body_id = p.body_to
),
body_pairs AS (
    SELECT crawl_from, crawl_to, stratum, body_from, body_to, place, count(*) AS sites
    FROM file_pairs
    GROUP BY crawl_from, crawl_to, stratum, body_from, body_to, place
),
compared_pairs AS (
    SELECT DISTINCT crawl_from, crawl_to, body_from, body_to FROM body_pairs WHERE place IS NULL
),
pair_rules AS (
    SELECT c.body_from, c.body_to, g.token, r.allow, coalesce(r.pattern_normal, r.pattern) AS pattern, 1 AS in_from, 0 AS in_to
    FROM compared_pairs AS c
    JOIN groups AS g ON g.crawl = c.crawl_from AND g.body_id = c.body_from
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    UNION ALL
    SELECT c.body_from, c.body_to, g.token, r.allow, coalesce(r.pattern_normal, r.pattern) AS pattern, 0 AS in_from, 1 AS in_to
    FROM compared_pairs AS c
    JOIN groups AS g ON g.crawl = c.crawl_to AND g.body_id = c.body_to
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
),
distinct_rules AS (
    SELECT body_from, body_to, token, allow, pattern, max(in_from) AS in_from, max(in_to) AS in_to
    FROM pair_rules
    GROUP BY body_from, body_to, token, allow, pattern
),
rule_edits AS (
    SELECT
        body_from,
        body_to,
        sum(in_from * (1 - in_to)) AS rules_lost,
        sum(in_to * (1 - in_from)) AS rules_gained
    FROM distinct_rules
    GROUP BY body_from, body_to
),
sized_changes AS (
    SELECT
        b.crawl_from,
        b.crawl_to,
        b.stratum,
        b.sites,
        coalesce(r.rules_lost, 0) AS rules_lost,
        coalesce(r.rules_gained, 0) AS rules_gained,
        CASE
            WHEN b.place IS NOT NULL THEN b.place
            WHEN coalesce(r.rules_lost + r.rules_gained, 0) = 0 THEN 3
            WHEN r.rules_lost + r.rules_gained = 1 THEN 4
            WHEN r.rules_lost + r.rules_gained <= 10 THEN 5
            WHEN r.rules_lost + r.rules_gained <= 100 THEN 6
            ELSE 7
        END AS place
    FROM body_pairs AS b
    LEFT JOIN rule_edits AS r ON r.body_from = b.body_from AND r.body_to = b.body_to
),
sites_by_change AS (
    SELECT
        crawl_from,
        crawl_to,
        stratum,
        place,
        sum(sites) AS sites,
        sum(sites * rules_gained) AS rules_gained,
        sum(sites * rules_lost) AS rules_lost
    FROM sized_changes
    GROUP BY crawl_from, crawl_to, stratum, place
),
panel_totals AS (
    SELECT
        crawl_from,
        crawl_to,
        stratum,
        sum(CASE WHEN body_from IS NOT NULL AND body_to IS NOT NULL THEN 1 ELSE 0 END) AS sites_counted
    FROM panel
    GROUP BY crawl_from, crawl_to, stratum
),
changes AS (
    SELECT *
    FROM (VALUES
        (1, 'none: same file'),
        (2, 'none: other text around the same rules'),
        (3, 'none: same rules in another order or number'),
        (4, '1 rule'),
        (5, '2 to 10 rules'),
        (6, '11 to 100 rules'),
        (7, 'over 100 rules'),
        (8, 'other rules, too many to compare')
    ) AS l (place, change)
)
SELECT
    p.crawl_from,
    p.crawl_to,
    p.stratum,
    c.change,
    coalesce(s.sites, 0) AS sites,
    p.sites_counted,
    CAST(coalesce(s.sites, 0) AS double) / nullif(p.sites_counted, 0) AS share,
    CASE WHEN c.place < 8 THEN coalesce(s.rules_gained, 0) END AS rules_gained,
    CASE WHEN c.place < 8 THEN coalesce(s.rules_lost, 0) END AS rules_lost
FROM panel_totals AS p
CROSS JOIN changes AS c
LEFT JOIN sites_by_change AS s
    ON s.crawl_from = p.crawl_from
    AND s.crawl_to = p.crawl_to
    AND s.stratum = p.stratum
    AND s.place = c.place
ORDER BY p.crawl_from, p.crawl_to, p.stratum, c.place
