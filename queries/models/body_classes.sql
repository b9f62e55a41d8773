-- title: Policy classes of bodies
-- question: Which bodies have the same verdicts for each tracked agent, by every definition of blocking?
-- grain: one row per body that names a tracked agent or *
-- reads: policies, tracked_agents
-- parameter: crawl crawl = '', name: the crawl
WITH numbered_agents AS (
    SELECT agent, row_number() OVER (ORDER BY agent) AS agent_no FROM tracked_agents WHERE crawl = $crawl
),
-- An agent and its columns in class_verdicts, encoded as one number. Here and below, the smaller side of a join comes
-- first, because it is kept in memory.
body_verdicts AS (
    SELECT
        p.body_id,
        t.agent_no * 256
            + CASE p.access WHEN 'all' THEN 0 WHEN 'part' THEN 1 ELSE 2 END
            + CASE WHEN p.root_allowed THEN 4 ELSE 0 END
            + CASE WHEN p.has_disallow_root THEN 8 ELSE 0 END
            + CASE WHEN p.is_only_disallow_root THEN 16 ELSE 0 END
            + CASE WHEN p.allow_rules > 0 THEN 32 ELSE 0 END
            + CASE WHEN p.disallow_rules = 0 THEN 0 WHEN p.disallow_rules = 1 THEN 64 ELSE 128 END AS verdict
    FROM numbered_agents AS t
    JOIN policies AS p ON p.token = t.agent
    WHERE p.crawl = $crawl
),
bodies_by_verdicts AS (
    SELECT body_id, array_to_string(array_sort(array_agg(verdict)), ' ') AS verdicts FROM body_verdicts GROUP BY body_id
),
classes AS (
    SELECT verdicts, min(body_id) AS class_id FROM bodies_by_verdicts GROUP BY verdicts
)
SELECT b.body_id, c.class_id
FROM classes AS c
JOIN bodies_by_verdicts AS b ON b.verdicts = c.verdicts
ORDER BY b.body_id
