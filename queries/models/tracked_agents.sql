-- title: Tracked agents
-- question: For which agents do the derived tables have verdicts?
-- grain: one row per tracked agent, and one with * for all other agents
-- reads: agents
SELECT '*' AS agent
UNION
SELECT token AS agent FROM agents WHERE tracked
ORDER BY agent
