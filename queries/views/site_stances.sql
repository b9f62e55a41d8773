-- title: Stances of sites
-- question: What was the name of site_classes before?
-- grain: one row per site
-- reads: site_classes
-- caveat: the next version drops this name; ask site_classes
SELECT crawl, site_id, class_id AS stance_id
FROM site_classes
