-- title: Sites that changed between two crawls
-- id: H01
-- question: Of the sites that are in two crawls, what share has another robots.txt in the second?
-- grain: one row per stratum and kind of change, including kinds that no site has
-- reads: panel, bodies
-- no crawl: it compares two crawls; choose them with --crawl-from and --crawl-to
-- column: crawl_from: the first of the two crawls
-- column: crawl_to: the last of the two crawls
-- column: change: same_file, same_rules, other_rules, file_gained, file_lost, no_file_in_either, only_in_the_last, only_in_the_first
-- column: sites: sites with this change
-- column: sites_counted: sites in both crawls
-- column: share: sites divided by sites_counted; null for sites in only one crawl
-- caveat: sites_counted counts the sites in both crawls, and share is of these. Sites in only one crawl show how the sample of hosts changed, not the web, so they have no share.
-- caveat: same_rules: another text with the same groups and rules in the same order. Comments, blanks and other records such as sitemaps may differ.
-- caveat: A page in place of a robots.txt is not a file.
-- caveat: With file_gained and file_lost, a server may have failed once, or redirects may have changed.
WITH panel_files AS (
    SELECT
        crawl_from,
        crawl_to,
        stratum,
        site_from,
        site_to,
        CASE WHEN outcome_from IN ('rules', 'no_rules') THEN body_from END AS body_from,
        CASE WHEN outcome_to IN ('rules', 'no_rules') THEN body_to END AS body_to
    FROM panel
),
site_changes AS (
    SELECT
        p.crawl_from,
        p.crawl_to,
        p.stratum,
        p.site_from IS NOT NULL AND p.site_to IS NOT NULL AS is_in_both,
        CASE
            WHEN p.site_to IS NULL THEN 8
            WHEN p.site_from IS NULL THEN 7
            WHEN p.body_from IS NULL AND p.body_to IS NULL THEN 6
            WHEN p.body_from IS NULL THEN 4
            WHEN p.body_to IS NULL THEN 5
            WHEN f.content_digest = t.content_digest THEN 1
            WHEN f.ruleset_digest = t.ruleset_digest THEN 2
            ELSE 3
        END AS place
    FROM panel_files AS p
    LEFT JOIN bodies AS f ON f.crawl = p.crawl_from AND f.body_id = p.body_from
    LEFT JOIN bodies AS t ON t.crawl = p.crawl_to AND t.body_id = p.body_to
),
change_totals AS (
    SELECT
        crawl_from,
        crawl_to,
        stratum,
        sum(CASE WHEN is_in_both THEN 1 ELSE 0 END) AS sites_counted,
        sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS same_file,
        sum(CASE WHEN place = 2 THEN 1 ELSE 0 END) AS same_rules,
        sum(CASE WHEN place = 3 THEN 1 ELSE 0 END) AS other_rules,
        sum(CASE WHEN place = 4 THEN 1 ELSE 0 END) AS file_gained,
        sum(CASE WHEN place = 5 THEN 1 ELSE 0 END) AS file_lost,
        sum(CASE WHEN place = 6 THEN 1 ELSE 0 END) AS no_file_in_either,
        sum(CASE WHEN place = 7 THEN 1 ELSE 0 END) AS only_in_the_last,
        sum(CASE WHEN place = 8 THEN 1 ELSE 0 END) AS only_in_the_first
    FROM site_changes
    GROUP BY crawl_from, crawl_to, stratum
),
change_list AS (
    SELECT *
    FROM (VALUES
        (1, 'same_file', true),
        (2, 'same_rules', true),
        (3, 'other_rules', true),
        (4, 'file_gained', true),
        (5, 'file_lost', true),
        (6, 'no_file_in_either', true),
        (7, 'only_in_the_last', false),
        (8, 'only_in_the_first', false)
    ) AS l (place, change, is_of_both)
),
change_rows AS (
    SELECT
        c.crawl_from,
        c.crawl_to,
        c.stratum,
        l.place,
        l.change,
        l.is_of_both,
        CASE l.place
            WHEN 1 THEN c.same_file
            WHEN 2 THEN c.same_rules
            WHEN 3 THEN c.other_rules
            WHEN 4 THEN c.file_gained
            WHEN 5 THEN c.file_lost
            WHEN 6 THEN c.no_file_in_either
            WHEN 7 THEN c.only_in_the_last
            ELSE c.only_in_the_first
        END AS sites,
        c.sites_counted
    FROM change_totals AS c
    CROSS JOIN change_list AS l
)
SELECT
    crawl_from,
    crawl_to,
    stratum,
    change,
    sites,
    sites_counted,
    CASE WHEN is_of_both THEN CAST(sites AS double) / nullif(sites_counted, 0) END AS share
FROM change_rows
ORDER BY crawl_from, crawl_to, stratum, place
