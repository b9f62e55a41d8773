-- title: Stances of sites
-- question: Which classes does site_classes have, under its earlier name?
-- grain: one row per site
-- reads: site_classes
-- caveat: The next version drops this name. Use site_classes.
SELECT crawl, site_id, class_id AS stance_id
FROM site_classes
