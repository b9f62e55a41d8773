-- title: AI agents known in a crawl
-- question: Which tracked AI agents does any site name in a crawl or in an earlier one?
-- grain: one row per crawl and tracked AI agent
-- reads: crawls, class_verdicts, agents
-- caveat: An agent counts in the first crawl in which a site names it, whatever its rules, and in all later ones. crawl_no of the view crawls gives the order of crawls. In earlier crawls, a wildcard group that allows no path does not count as blocking the agent.
WITH agent_crawls AS (
    SELECT DISTINCT crawl, agent FROM class_verdicts WHERE agent <> '*'
),
named_agents AS (
    SELECT a.agent, min(c.crawl_no) AS first_no
    FROM agent_crawls AS a
    JOIN crawls AS c ON c.crawl = a.crawl
    GROUP BY a.agent
)
SELECT c.crawl, n.agent, f.crawl AS first_crawl, a.operator, a.purposes
FROM named_agents AS n
JOIN crawls AS f ON f.crawl_no = n.first_no
JOIN agents AS a ON a.token = n.agent
CROSS JOIN crawls AS c
WHERE a.is_ai AND a.tracked AND n.first_no <= c.crawl_no
