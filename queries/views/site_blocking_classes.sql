-- title: Blocking classes of sites
-- question: Which sites block the same agents by the chosen definition, because they have the same policy class?
-- grain: one row per site
-- reads: sites
-- parameter: crawl = ''
-- parameter: definition = exact
SELECT
    crawl,
    site_id,
    class_id,
    -- d9 also depends on the other sites of a domain, so each site is a class of its own.
    CASE $definition WHEN 'd9-any-subdomain' THEN site_id ELSE class_id END AS blocking_class_id
FROM sites
WHERE $crawl = '' OR crawl = $crawl
