-- title: How much of a file changes between two crawls
-- id: H05
-- question: What share of robots.txt files stayed as they were between two crawls, and how many rules did the others gain and lose?
-- grain: one row per size of the change, those that did not occur among them
-- reads: panel, bodies, groups, rules
-- parameter: compared integer = 100000, agents times rules: files of which either has more are counted and not compared
-- caveat: Counted are sites that are in both crawls and whose file was read in both.
-- caveat: A rule is what a file says to one agent: agent, verb and pattern as it is compared. A rule in a group of three agents is three rules, a rule that stands there twice is one, and the order of rules does not count.
-- caveat: A new pattern in the place of an old one is one rule lost and one gained.
WITH read AS (
    SELECT
        p.crawl_from,
        p.crawl_to,
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
changed AS (
    SELECT crawl_from, crawl_to, body_from, body_to, place, count(*) AS sites
    FROM read
    GROUP BY crawl_from, crawl_to, body_from, body_to, place
),
pairs AS (
    SELECT crawl_from, crawl_to, body_from, body_to FROM changed WHERE place IS NULL
),
sides AS (
    SELECT p.body_from, p.body_to, g.token, r.allow, coalesce(r.pattern_normal, r.pattern) AS pattern, 1 AS was_said, 0 AS is_said
    FROM pairs AS p
    JOIN groups AS g ON g.crawl = p.crawl_from AND g.body_id = p.body_from
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    UNION ALL
    SELECT p.body_from, p.body_to, g.token, r.allow, coalesce(r.pattern_normal, r.pattern) AS pattern, 0 AS was_said, 1 AS is_said
    FROM pairs AS p
    JOIN groups AS g ON g.crawl = p.crawl_to AND g.body_id = p.body_to
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
),
each_rule AS (
    SELECT body_from, body_to, token, allow, pattern, max(was_said) AS was_said, max(is_said) AS is_said
    FROM sides
    GROUP BY body_from, body_to, token, allow, pattern
),
edits AS (
    SELECT
        body_from,
        body_to,
        sum(was_said * (1 - is_said)) AS rules_lost,
        sum(is_said * (1 - was_said)) AS rules_gained
    FROM each_rule
    GROUP BY body_from, body_to
),
sized AS (
    SELECT
        c.crawl_from,
        c.crawl_to,
        c.sites,
        coalesce(e.rules_lost, 0) AS rules_lost,
        coalesce(e.rules_gained, 0) AS rules_gained,
        CASE
            WHEN c.place IS NOT NULL THEN c.place
            WHEN coalesce(e.rules_lost + e.rules_gained, 0) = 0 THEN 3
            WHEN e.rules_lost + e.rules_gained = 1 THEN 4
            WHEN e.rules_lost + e.rules_gained <= 10 THEN 5
            WHEN e.rules_lost + e.rules_gained <= 100 THEN 6
            ELSE 7
        END AS place
    FROM changed AS c
    LEFT JOIN edits AS e ON e.body_from = c.body_from AND e.body_to = c.body_to
),
counted AS (
    SELECT
        crawl_from,
        crawl_to,
        place,
        sum(sites) AS sites,
        sum(sites * rules_gained) AS rules_gained,
        sum(sites * rules_lost) AS rules_lost
    FROM sized
    GROUP BY crawl_from, crawl_to, place
),
totals AS (
    SELECT
        crawl_from,
        crawl_to,
        sum(CASE WHEN body_from IS NOT NULL AND body_to IS NOT NULL THEN 1 ELSE 0 END) AS sites_counted
    FROM panel
    GROUP BY crawl_from, crawl_to
),
listed AS (
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
    t.crawl_from,
    t.crawl_to,
    l.change,
    coalesce(c.sites, 0) AS sites,
    t.sites_counted,
    CAST(coalesce(c.sites, 0) AS double) / nullif(t.sites_counted, 0) AS share,
    coalesce(c.rules_gained, 0) AS rules_gained,
    coalesce(c.rules_lost, 0) AS rules_lost
FROM totals AS t
CROSS JOIN listed AS l
LEFT JOIN counted AS c ON c.crawl_from = t.crawl_from AND c.crawl_to = t.crawl_to AND c.place = l.place
ORDER BY t.crawl_from, t.crawl_to, l.place
