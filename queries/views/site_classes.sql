-- title: Policy classes of sites
-- question: Which policy class does each site have?
-- grain: one row per site
-- reads: sites
-- caveat: The next version drops this name. Use sites.
SELECT crawl, site_id, class_id
FROM sites
