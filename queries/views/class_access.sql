-- title: Access by policy class and agent
-- question: What verdict does each policy class have for each tracked agent?
-- grain: one row per policy class and tracked agent, and one with * for all other agents
-- reads: class_verdicts, tracked_agents
-- caveat: An agent that a class does not name has the verdict of *. class_verdicts has no row for it.
-- caveat: policy_token is the token whose policy holds for the agent: its own, or *. It is null if no policy holds.
WITH named AS (
    SELECT * FROM class_verdicts WHERE agent <> '*'
),
unnamed AS (
    SELECT t.agent AS tracked_agent, v.*
    FROM tracked_agents AS t
    JOIN class_verdicts AS v ON v.crawl = t.crawl
    WHERE v.agent = '*'
)
SELECT
    crawl,
    agent,
    class_id,
    agent AS policy_token,
    match_kind,
    access,
    root_allowed,
    has_rules,
    has_allow_rules,
    is_one_disallow_rule,
    has_disallow_root,
    is_only_disallow_root
FROM named
UNION ALL
-- Agents that the class does not name. The engine checks a condition on the verdict before it repeats the row of * for
-- each agent. A question about blocked agents therefore repeats only the classes that block.
SELECT
    u.crawl,
    u.tracked_agent AS agent,
    u.class_id,
    CASE u.match_kind WHEN 'wildcard' THEN '*' END AS policy_token,
    -- The same value. It shows the engine that no row is explicit, so that a question about named agents skips the join.
    CASE WHEN u.match_kind = 'wildcard' THEN 'wildcard' ELSE 'none' END AS match_kind,
    u.access,
    u.root_allowed,
    u.has_rules,
    u.has_allow_rules,
    u.is_one_disallow_rule,
    u.has_disallow_root,
    u.is_only_disallow_root
FROM named AS n
RIGHT JOIN unnamed AS u ON u.crawl = n.crawl AND u.class_id = n.class_id AND u.tracked_agent = n.agent
WHERE n.agent IS NULL
