-- title: Blocking
-- question: Does a site block an agent, by the chosen definition?
-- grain: one row per site and tracked agent with a known verdict
-- reads: site_blocking_classes, class_blocking
SELECT v.crawl, v.site_id, b.agent, b.match_kind, b.access, b.blocked
FROM site_blocking_classes AS v
JOIN class_blocking AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
