-- title: Files without a rule
-- id: B07
-- question: What share of the robots.txt files of sites has no rule, and what do these files contain?
-- grain: one row per crawl, stratum and content, including contents that no site has
-- reads: population, bodies
-- parameter: denominator = read: which sites are counted, as in population; sites without a file have none of the contents
-- column: content: what the file has: empty, blank, comments, not_robots, other_text, groups_only, rules_only, groups_and_rules
-- column: sites: sites whose file has this content
-- caveat: empty: no byte. blank: white space only. comments: comments only. not_robots: a page, JSON or other data. other_text: neither a user-agent line nor a rule. groups_only: user-agent lines without a rule. rules_only: rules without a user-agent line, which no crawler has to obey. groups_and_rules: everything else.
-- caveat: A file may have rules that disallow nothing, such as an empty Disallow; noblock_rate counts those.
-- caveat: Files are counted once per site: a file that a thousand sites serve counts a thousand times.
WITH file_contents AS (
    SELECT
        p.crawl,
        p.stratum,
        CASE
            WHEN b.body_id IS NULL THEN 'no file'
            WHEN b.body_bytes = 0 THEN 'empty'
            WHEN b.kind = 'empty' THEN 'blank'
            WHEN b.kind = 'comments_only' THEN 'comments'
            WHEN NOT b.may_be_robots THEN 'not_robots'
            WHEN b.group_count = 0 AND b.rule_count = 0 THEN 'other_text'
            WHEN b.rule_count = 0 THEN 'groups_only'
            WHEN b.group_count = 0 THEN 'rules_only'
            ELSE 'groups_and_rules'
        END AS content,
        p.weight
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
),
sites_by_content AS (
    SELECT crawl, stratum, content, sum(weight) AS sites
    FROM file_contents
    GROUP BY crawl, stratum, content
),
content_shares AS (
    SELECT
        s.crawl,
        s.stratum,
        l.place,
        l.content,
        sum(CASE WHEN s.content = l.content THEN s.sites ELSE 0 END) AS sites,
        sum(s.sites) AS sites_counted
    FROM sites_by_content AS s
    CROSS JOIN (VALUES
        (1, 'empty'),
        (2, 'blank'),
        (3, 'comments'),
        (4, 'not_robots'),
        (5, 'other_text'),
        (6, 'groups_only'),
        (7, 'rules_only'),
        (8, 'groups_and_rules')
    ) AS l (place, content)
    GROUP BY s.crawl, s.stratum, l.place, l.content
)
SELECT crawl, stratum, content, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM content_shares
ORDER BY crawl, stratum, place
