-- title: AI agents blocked by policy class
-- question: Which known AI agents does a policy class block, and does it name them?
-- grain: one row per policy class and known AI agent that it blocks
-- reads: class_blocking, known_ai_agents
SELECT
    b.crawl,
    b.blocking_class_id,
    b.agent,
    k.operator,
    CASE b.match_kind WHEN 'explicit' THEN 1 ELSE 0 END AS is_by_name
FROM class_blocking AS b
JOIN known_ai_agents AS k ON k.crawl = b.crawl AND k.agent = b.agent
WHERE b.blocked
