-- title: Population with blocking classes
-- question: Which counted sites block the same agents by the chosen definition, because they have the same policy class?
-- grain: one row per counted site and stratum
-- reads: population
-- parameter: definition = exact
-- caveat: site_blocking_classes has the same classes for all sites.
SELECT
    *,
    -- d9 also depends on the other sites of a domain, so each site is a class of its own.
    CASE $definition WHEN 'd9-any-subdomain' THEN site_id ELSE class_id END AS blocking_class_id
FROM population
