-- title: Purposes of AI agents
-- question: For which purposes is each known AI agent?
-- grain: one row per crawl, known AI agent and purpose
-- reads: known_ai_agents
-- caveat: An agent for which agents.csv has none of these purposes is other.
WITH purposes AS (
    SELECT purpose
    FROM (VALUES ('training'), ('dataset'), ('data-provider'), ('search'), ('user-fetch'), ('agent'), ('research')) AS listed (purpose)
)
SELECT k.crawl, k.agent, coalesce(p.purpose, 'other') AS purpose
FROM known_ai_agents AS k
LEFT JOIN purposes AS p ON strpos(' ' || k.purposes || ' ', ' ' || p.purpose || ' ') > 0
