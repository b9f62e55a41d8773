-- title: Blocking
-- question: Does a site block an agent, in the sense that is asked for?
-- grain: one row per site and tracked agent whose answer is known
-- reads: site_voices, voice_blocking
SELECT v.crawl, v.site_id, b.agent, b.match_kind, b.access, b.blocked
FROM site_voices AS v
JOIN voice_blocking AS b ON b.crawl = v.crawl AND b.voice_id = v.voice_id
