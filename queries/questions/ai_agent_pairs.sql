-- title: Training agents compared with search and user agents of their operator
-- id: E11
-- question: How often do sites treat an operator's agent for training differently from one of its agents that search or fetch for a user?
-- grain: one row per crawl, stratum and pair of agents of one operator that sites of the crawl name, those that the most sites block by name first
-- reads: strata, stratum_classes, class_blocking, class_verdicts, agents
-- parameter: tokens = '': which agents of a pair, separated by commas or blanks; default: all
-- column: operator: the operator of both agents
-- column: training_agent: the agent for training
-- column: other_agent: the agent that searches or fetches for a user
-- column: other_purpose: user-fetch, search: the purpose of other_agent; user-fetch if it has both
-- column: sites_training_only_by_name: sites that name and block training_agent, and do not block other_agent
-- column: sites_other_only_by_name: sites that name and block other_agent, and do not block training_agent
-- column: sites_both_by_name: sites that name and block both agents
-- column: sites_training_only: sites that block training_agent and not other_agent
-- column: sites_other_only: sites that block other_agent and not training_agent
-- column: sites_both: sites that block both agents
-- column: sites_both_named: sites that name both agents, whatever their rules
-- column: sites_both_named_training_only: sites that name both agents and block training_agent only
-- column: share_training_only_by_name: sites_training_only_by_name divided by sites_counted
-- column: share_other_only_by_name: sites_other_only_by_name divided by sites_counted
-- column: share_both_by_name: sites_both_by_name divided by sites_counted
-- column: share_training_only: sites_training_only divided by sites_counted
-- column: share_other_only: sites_other_only divided by sites_counted
-- column: share_both: sites_both divided by sites_counted
-- column: share_of_both_named: sites_both_named_training_only divided by sites_both_named; null if no site names both
-- caveat: The agent for training is a tracked AI agent with that purpose, perhaps among others. The other agent is any tracked agent of the operator with the purpose search or user-fetch, but not training. Retired agents do not count.
-- caveat: A site that allows an agent may not know of it. sites_both_named counts sites that name both agents.
-- caveat: sites_training_only counts sites that block the agent for training but not the other agent; sites_other_only is the reverse. Blocks by the wildcard group count, except in columns with by_name: there, the agents that are blocked are named.
WITH chosen_agents AS (
    SELECT
        token AS agent,
        operator,
        is_ai AND strpos(' ' || purposes || ' ', ' training ') > 0 AS trains,
        CASE
            WHEN strpos(' ' || purposes || ' ', ' training ') > 0 THEN ''
            WHEN strpos(' ' || purposes || ' ', ' user-fetch ') > 0 THEN 'user-fetch'
            WHEN strpos(' ' || purposes || ' ', ' search ') > 0 THEN 'search'
            ELSE ''
        END AS other_purpose
    FROM agents
    WHERE tracked AND operator <> '' AND coalesce(valid_to, '') = ''
),
named_agents AS (
    SELECT DISTINCT crawl, agent FROM class_verdicts WHERE match_kind = 'explicit'
),
agent_pairs AS (
    SELECT tn.crawl, t.operator, t.agent AS training_agent, o.agent AS other_agent, o.other_purpose
    FROM chosen_agents AS t
    JOIN chosen_agents AS o ON o.operator = t.operator
    JOIN named_agents AS tn ON tn.agent = t.agent
    JOIN named_agents AS n ON n.crawl = tn.crawl AND n.agent = o.agent
    WHERE t.trains
        AND o.other_purpose <> ''
        AND ('' IN ($tokens) OR t.agent IN ($tokens) OR o.agent IN ($tokens))
),
pair_members AS (
    SELECT crawl, training_agent, other_agent, training_agent AS agent, 1 AS is_training FROM agent_pairs
    UNION ALL
    SELECT crawl, training_agent, other_agent, other_agent AS agent, 0 AS is_training FROM agent_pairs
),
pair_verdicts AS (
    SELECT
        b.crawl,
        b.blocking_class_id,
        m.training_agent,
        m.other_agent,
        max(CASE WHEN b.blocked THEN m.is_training ELSE 0 END) AS training_blocked,
        max(CASE WHEN b.blocked THEN 1 - m.is_training ELSE 0 END) AS other_blocked,
        max(CASE WHEN b.blocked AND b.match_kind = 'explicit' THEN m.is_training ELSE 0 END) AS training_blocked_by_name,
        max(CASE WHEN b.blocked AND b.match_kind = 'explicit' THEN 1 - m.is_training ELSE 0 END) AS other_blocked_by_name,
        sum(CASE WHEN b.match_kind = 'explicit' THEN 1 ELSE 0 END) AS agents_named
    FROM class_blocking AS b
    JOIN pair_members AS m ON m.crawl = b.crawl AND m.agent = b.agent
    WHERE b.blocked OR b.match_kind = 'explicit'
    GROUP BY b.crawl, b.blocking_class_id, m.training_agent, m.other_agent
),
pair_totals AS (
    SELECT
        v.crawl,
        v.stratum,
        p.training_agent,
        p.other_agent,
        sum(CASE WHEN p.training_blocked_by_name = 1 AND p.other_blocked = 0 THEN v.weight ELSE 0 END) AS sites_training_only_by_name,
        sum(CASE WHEN p.training_blocked = 0 AND p.other_blocked_by_name = 1 THEN v.weight ELSE 0 END) AS sites_other_only_by_name,
        sum(CASE WHEN p.training_blocked_by_name = 1 AND p.other_blocked_by_name = 1 THEN v.weight ELSE 0 END) AS sites_both_by_name,
        sum(CASE WHEN p.training_blocked_by_name = 1 OR p.other_blocked_by_name = 1 THEN v.weight ELSE 0 END) AS sites_either_by_name,
        sum(CASE WHEN p.training_blocked = 1 AND p.other_blocked = 0 THEN v.weight ELSE 0 END) AS sites_training_only,
        sum(CASE WHEN p.training_blocked = 0 AND p.other_blocked = 1 THEN v.weight ELSE 0 END) AS sites_other_only,
        sum(CASE WHEN p.training_blocked = 1 AND p.other_blocked = 1 THEN v.weight ELSE 0 END) AS sites_both,
        sum(CASE WHEN p.agents_named = 2 THEN v.weight ELSE 0 END) AS sites_both_named,
        sum(CASE WHEN p.agents_named = 2 AND p.training_blocked = 1 AND p.other_blocked = 0 THEN v.weight ELSE 0 END)
            AS sites_both_named_training_only
    FROM stratum_classes AS v
    JOIN pair_verdicts AS p ON p.crawl = v.crawl AND p.blocking_class_id = v.blocking_class_id
    GROUP BY v.crawl, v.stratum, p.training_agent, p.other_agent
)
SELECT
    s.crawl,
    s.stratum,
    a.operator,
    a.training_agent,
    a.other_agent,
    a.other_purpose,
    coalesce(p.sites_training_only_by_name, 0) AS sites_training_only_by_name,
    coalesce(p.sites_other_only_by_name, 0) AS sites_other_only_by_name,
    coalesce(p.sites_both_by_name, 0) AS sites_both_by_name,
    coalesce(p.sites_training_only, 0) AS sites_training_only,
    coalesce(p.sites_other_only, 0) AS sites_other_only,
    coalesce(p.sites_both, 0) AS sites_both,
    coalesce(p.sites_both_named, 0) AS sites_both_named,
    coalesce(p.sites_both_named_training_only, 0) AS sites_both_named_training_only,
    s.sites_counted,
    CAST(coalesce(p.sites_training_only_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_training_only_by_name,
    CAST(coalesce(p.sites_other_only_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_other_only_by_name,
    CAST(coalesce(p.sites_both_by_name, 0) AS double) / nullif(s.sites_counted, 0) AS share_both_by_name,
    CAST(coalesce(p.sites_training_only, 0) AS double) / nullif(s.sites_counted, 0) AS share_training_only,
    CAST(coalesce(p.sites_other_only, 0) AS double) / nullif(s.sites_counted, 0) AS share_other_only,
    CAST(coalesce(p.sites_both, 0) AS double) / nullif(s.sites_counted, 0) AS share_both,
    CAST(p.sites_both_named_training_only AS double) / nullif(p.sites_both_named, 0) AS share_of_both_named
FROM strata AS s
JOIN agent_pairs AS a ON a.crawl = s.crawl
LEFT JOIN pair_totals AS p
    ON p.crawl = s.crawl AND p.stratum = s.stratum AND p.training_agent = a.training_agent AND p.other_agent = a.other_agent
ORDER BY
    s.crawl,
    s.stratum,
    coalesce(p.sites_either_by_name, 0) DESC,
    a.operator,
    a.training_agent,
    a.other_agent
