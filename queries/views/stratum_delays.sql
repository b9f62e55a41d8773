-- title: Crawl delays by stratum
-- question: Which crawl delays do files set for agents, and with which weight?
-- grain: one row per crawl, stratum, body and agent with a delay, and one without an agent for any of the chosen agents
-- reads: policies, bodies, stratum_contents
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named
-- caveat: For any agent, the longest delay of a body counts.
WITH agent_delays AS (
    SELECT p.crawl, c.stratum, p.body_id, p.token AS agent, p.is_written, p.crawl_delay_s, c.weight, c.weight_slack
    FROM stratum_contents AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id AND b.may_be_robots
    JOIN policies AS p ON p.crawl = c.crawl AND p.body_id = c.body_id
    WHERE p.crawl_delay_s IS NOT NULL AND ('' IN ($tokens) OR p.token IN ($tokens))
)
SELECT crawl, stratum, body_id, agent, is_written, crawl_delay_s, weight, weight_slack
FROM agent_delays
UNION ALL
SELECT
    crawl,
    stratum,
    body_id,
    CAST(NULL AS varchar) AS agent,
    true AS is_written,
    max(crawl_delay_s) AS crawl_delay_s,
    weight,
    weight_slack
FROM agent_delays
GROUP BY crawl, stratum, body_id, weight, weight_slack
