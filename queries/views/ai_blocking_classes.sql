-- title: Policy classes that block AI agents
-- question: How many known AI agents does a policy class block, and how many of them by name?
-- grain: one row per policy class that blocks a known AI agent
-- reads: ai_blocking
SELECT crawl, blocking_class_id, count(*) AS agents, sum(is_by_name) AS agents_by_name
FROM ai_blocking
GROUP BY crawl, blocking_class_id
