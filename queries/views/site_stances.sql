-- title: Stances of sites
-- question: Which classes do sites have, under their earlier name?
-- grain: one row per site
-- reads: sites
-- caveat: The next version drops this name. Use sites.
SELECT crawl, site_id, class_id AS stance_id
FROM sites
