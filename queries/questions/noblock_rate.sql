-- title: Sites that disallow nothing
-- id: D13
-- question: What share of sites disallows no path for any agent, and why?
-- grain: one row per crawl and stratum
-- reads: stratum_bodies, policies
-- column: sites: the sum of sites_without_file, sites_not_robots, sites_without_rules and sites_disallowing_nothing
-- column: share_of_files_with_rules: sites_disallowing_nothing divided by the sites whose file is a robots.txt with rules; null if there are none
-- column: sites_without_file: sites without a file (4xx)
-- column: sites_not_robots: sites with a page, JSON or other data in place of a robots.txt, which disallows nothing
-- column: sites_without_rules: sites whose robots.txt has no rule
-- column: sites_disallowing_nothing: sites whose robots.txt has rules, and they disallow no path for any agent
-- column: sites_disallowing: sites whose file disallows a path for some agent
-- column: sites_disallowing_named_only: of sites_disallowing, those that disallow paths for named agents only
-- column: sites_unreachable: counted sites that are unreachable; 0 unless --denominator is decided or all
-- column: sites_unknown: counted sites about which nothing is known; 0 unless --denominator is all
-- column: share_without_file: sites_without_file divided by sites_counted
-- column: share_not_robots: sites_not_robots divided by sites_counted
-- column: share_without_rules: sites_without_rules divided by sites_counted
-- column: share_disallowing_nothing: sites_disallowing_nothing divided by sites_counted
-- column: share_disallowing: sites_disallowing divided by sites_counted
-- caveat: A file disallows nothing if every path is allowed for every agent that it names and for all others.
-- caveat: Shares are of sites and not of files, unless the denominator is read or rules. A site without a file (4xx) allows all paths. sites_disallowing counts sites whose rules disallow a path, also rules in a page in place of a robots.txt; share_of_files_with_rules leaves such pages out.
WITH disallowing_bodies AS (
    SELECT crawl, body_id, max(CASE WHEN token = '*' THEN 1 ELSE 0 END) AS is_for_wildcard
    FROM policies
    WHERE access <> 'all'
    GROUP BY crawl, body_id
),
stratum_sites AS (
    SELECT
        p.crawl,
        p.stratum,
        sum(p.weight) AS sites_counted,
        sum(CASE WHEN p.outcome = 'unavailable' THEN p.weight ELSE 0 END) AS sites_without_file,
        sum(CASE WHEN p.outcome = 'not_robots' AND d.body_id IS NULL THEN p.weight ELSE 0 END) AS sites_not_robots,
        sum(CASE WHEN p.outcome = 'no_rules' AND d.body_id IS NULL THEN p.weight ELSE 0 END) AS sites_without_rules,
        sum(CASE WHEN p.outcome = 'rules' AND d.body_id IS NULL THEN p.weight ELSE 0 END) AS sites_disallowing_nothing,
        sum(CASE WHEN p.outcome = 'rules' THEN p.weight ELSE 0 END) AS sites_with_rules,
        sum(CASE WHEN d.body_id IS NOT NULL THEN p.weight ELSE 0 END) AS sites_disallowing,
        sum(CASE WHEN d.is_for_wildcard = 0 THEN p.weight ELSE 0 END) AS sites_disallowing_named_only,
        sum(CASE WHEN p.outcome = 'unreachable' THEN p.weight ELSE 0 END) AS sites_unreachable,
        sum(CASE WHEN p.outcome IN ('redirect_unresolved', 'no_capture') THEN p.weight ELSE 0 END) AS sites_unknown
    FROM stratum_bodies AS p
    LEFT JOIN disallowing_bodies AS d ON d.crawl = p.crawl AND d.body_id = p.body_id
    GROUP BY p.crawl, p.stratum
)
SELECT
    crawl,
    stratum,
    sites_without_file + sites_not_robots + sites_without_rules + sites_disallowing_nothing AS sites,
    sites_counted,
    CAST(sites_without_file + sites_not_robots + sites_without_rules + sites_disallowing_nothing AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_disallowing_nothing AS double) / nullif(sites_with_rules, 0) AS share_of_files_with_rules,
    sites_without_file,
    sites_not_robots,
    sites_without_rules,
    sites_disallowing_nothing,
    sites_disallowing,
    sites_disallowing_named_only,
    sites_unreachable,
    sites_unknown,
    CAST(sites_without_file AS double) / nullif(sites_counted, 0) AS share_without_file,
    CAST(sites_not_robots AS double) / nullif(sites_counted, 0) AS share_not_robots,
    CAST(sites_without_rules AS double) / nullif(sites_counted, 0) AS share_without_rules,
    CAST(sites_disallowing_nothing AS double) / nullif(sites_counted, 0) AS share_disallowing_nothing,
    CAST(sites_disallowing AS double) / nullif(sites_counted, 0) AS share_disallowing
FROM stratum_sites
ORDER BY crawl, stratum
