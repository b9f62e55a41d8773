-- title: Blocking classes of sites
-- question: Which sites block the same agents by the chosen definition, because they have the same policy class?
-- grain: one row per site
-- reads: site_classes
-- parameter: crawl = ''
-- parameter: definition one of exact d1-named d2-named-with-rules d3-named-root d4-only-root d5-root-no-allow d6-one-root-rule d7-named-none d8-root d9-any-subdomain = exact, meaning: the definition of blocked; exact: the rules allow no path at all; docs/definitions.md explains the others
SELECT
    crawl,
    site_id,
    class_id,
    -- d9 also depends on the other sites of a domain, so each site is a class of its own.
    CASE $definition WHEN 'd9-any-subdomain' THEN site_id ELSE class_id END AS blocking_class_id
FROM site_classes
WHERE $crawl = '' OR crawl = $crawl
