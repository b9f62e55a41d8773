-- title: Blocking
-- question: Does a site block an agent, by the chosen definition?
-- grain: one row per site and tracked agent with a known verdict
-- reads: site_voices, voice_blocking
SELECT v.crawl, v.site_id, b.agent, b.match_kind, b.access, b.blocked
FROM site_voices AS v
JOIN voice_blocking AS b ON b.crawl = v.crawl AND b.voice_id = v.voice_id
