-- title: Sites with a listed weight
-- question: Which weight does the table weights list for a counted site?
-- grain: one row per counted site and stratum
-- reads: population, weights
-- caveat: A listed host has its own weight, any other host the weight of its domain. listed_weight is null for a site that is not listed.
SELECT p.crawl, p.stratum, p.site_id, p.weight, coalesce(h.weight, d.weight) AS listed_weight
FROM population AS p
LEFT JOIN weights AS h ON h.host = p.url_host_name
LEFT JOIN weights AS d ON d.host = p.url_host_registered_domain
