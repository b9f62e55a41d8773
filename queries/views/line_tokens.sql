-- title: Tokens of user-agent lines
-- question: Which token does each user-agent line name?
-- grain: one row per user-agent line with a name other than *
-- reads: groups, agents
-- caveat: A line names one token: that in the line if agents.csv has it, otherwise the product token. GPTBot Foo counts as GPTBot.
SELECT g.crawl, g.body_id, CASE WHEN a.token IS NULL THEN coalesce(g.product_token, g.token) ELSE g.token END AS token
FROM agents AS a
RIGHT JOIN groups AS g ON g.token = a.token
WHERE g.token NOT IN ('', '*')
