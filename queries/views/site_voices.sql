-- title: Voices of sites
-- question: Which sites count as one, since they say the same to every tracked agent?
-- grain: one row per site
-- reads: site_stances
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: definition one of exact d1-named d2-named-with-rules d3-named-root d4-only-root d5-root-no-allow d6-one-root-rule d7-named-none d8-root d9-any-subdomain = exact, meaning: what counts as blocked; exact: no path that its rules tell apart may be fetched
SELECT
    crawl,
    site_id,
    stance_id,
    -- What a site says is what its neighbours say, too, so that each has a voice of its own.
    CASE $definition WHEN 'd9-any-subdomain' THEN site_id ELSE stance_id END AS voice_id
FROM site_stances
WHERE $crawl = '' OR crawl = $crawl
