-- title: Groups of agents
-- question: Which groups apply to each agent that a file names?
-- grain: one row per user-agent line and agent that it names: its token, and its product token if that is another one
-- reads: groups
-- caveat: The agents of a body are those of policies. A group has several rows for an agent if several of its lines name the agent.
WITH product_tokens AS (
    -- RFC 9309 section 2.2.1: a product token has only letters, underscores and hyphens. Other engines do not have
    -- robots_product_token, so a test compares it with this.
    SELECT crawl, body_id, group_no, line_no, token, regexp_replace(token, '[^a-z_-].*', '') AS product, root_allowed, root_weight
    FROM groups
)
SELECT crawl, body_id, group_no, line_no, token, root_allowed, root_weight
FROM groups
UNION ALL
SELECT crawl, body_id, group_no, line_no, product AS token, root_allowed, root_weight
FROM product_tokens
WHERE product <> token AND product <> ''
