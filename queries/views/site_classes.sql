-- title: Policy classes of sites
-- question: Which classes do sites have, in the table that had them earlier?
-- grain: one row per site
-- reads: sites
-- caveat: The next version drops this name. Use sites.
SELECT crawl, site_id, class_id
FROM sites
