-- title: Groups of agents
-- question: Which groups apply to each agent that a file names?
-- grain: one row per user-agent line and agent that it names: its token, and its product token if that is another one
-- reads: groups
-- caveat: The agents of a body are those of policies. A group has several rows for an agent if several of its lines name the agent.
SELECT crawl, body_id, group_no, line_no, token, root_allowed, root_weight
FROM groups
UNION ALL
SELECT crawl, body_id, group_no, line_no, product_token AS token, root_allowed, root_weight
FROM groups
WHERE product_token IS NOT NULL
