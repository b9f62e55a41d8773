-- title: AI agents known in a crawl
-- question: Which tracked AI agents does any site name in a crawl or in an earlier one?
-- grain: one row per crawl and tracked AI agent
-- reads: class_verdicts, agents
-- caveat: An agent counts in the first crawl in which a site names it, whatever its rules, and in all later ones. Crawls are ordered by name. In earlier crawls, a wildcard group that allows no path does not count as blocking the agent.
WITH named_agents AS (
    SELECT agent, min(crawl) AS first_crawl FROM class_verdicts WHERE agent <> '*' GROUP BY agent
),
crawls AS (
    SELECT DISTINCT crawl FROM class_verdicts WHERE agent = '*'
)
SELECT c.crawl, n.agent, n.first_crawl, a.operator, a.purposes
FROM named_agents AS n
JOIN agents AS a ON lower(a.token) = n.agent
CROSS JOIN crawls AS c
WHERE a.is_ai AND a.tracked AND n.first_crawl <= c.crawl
