-- title: Retired AI agents blocked, but not their successors
-- id: E07
-- question: How many sites block a retired AI agent by name and do not block its successor?
-- grain: one row per crawl, stratum, retired agent and successor
-- reads: strata, stratum_classes, class_blocking, agents
-- parameter: tokens = '': which retired agents or successors, separated by commas or blanks; default: all
-- column: agent: the retired AI agent, in lower case
-- column: valid_to: when the agent was retired, as a year, month or day; null if it is not known
-- column: successor: the agent that replaced it, in lower case
-- column: sites: sites that name and block the retired agent, and do not block the successor
-- column: sites_blocked_by_fallback: how many of these sites do not name the successor, which then, by its operator, follows the groups of the retired agent
-- column: sites_blocked_by_name: sites that name and block the retired agent
-- column: share_of_blocked_by_name: sites divided by sites_blocked_by_name; null if no site blocks the retired agent by name
-- caveat: Only retired agents with a known successor count, if both are tracked. Most retired agents have no known successor.
-- caveat: Some operators say that the successor follows the groups of the names that it replaces if no group names it. sites_blocked_by_fallback counts sites where this applies; they also count as sites that do not block the successor.
WITH retired_agents AS (
    SELECT
        o.token AS agent,
        o.valid_to,
        n.token AS successor,
        CASE WHEN strpos(' ' || n.fallback_tokens || ' ', ' ' || o.token || ' ') > 0 THEN 1 ELSE 0 END AS falls_back
    FROM agents AS o
    JOIN agents AS n ON n.token = o.replaced_by
    WHERE o.is_ai
        AND o.tracked
        AND n.tracked
        AND ('' IN ($tokens) OR o.token IN ($tokens) OR n.token IN ($tokens))
),
retired_blocks AS (
    SELECT b.crawl, b.blocking_class_id, r.agent, r.successor, r.falls_back
    FROM class_blocking AS b
    JOIN retired_agents AS r ON r.agent = b.agent
    WHERE b.blocked AND b.match_kind = 'explicit'
),
-- Any other agent has the verdict of *.
wildcard_verdicts AS (
    SELECT crawl, blocking_class_id, match_kind, blocked FROM class_blocking WHERE agent = '*'
),
own_verdicts AS (
    SELECT crawl, blocking_class_id, agent, match_kind, blocked
    FROM class_blocking
    WHERE has_own_verdict
),
successor_verdicts AS (
    SELECT
        r.crawl,
        r.blocking_class_id,
        r.agent,
        r.successor,
        r.falls_back,
        coalesce(o.blocked, w.blocked) AS blocked,
        coalesce(o.match_kind, w.match_kind) AS match_kind
    FROM retired_blocks AS r
    JOIN wildcard_verdicts AS w ON w.crawl = r.crawl AND w.blocking_class_id = r.blocking_class_id
    LEFT JOIN own_verdicts AS o ON o.crawl = r.crawl AND o.blocking_class_id = r.blocking_class_id AND o.agent = r.successor
),
blocks_by_agent AS (
    SELECT
        v.crawl,
        v.stratum,
        n.agent,
        n.successor,
        sum(v.weight) AS sites_blocked_by_name,
        sum(CASE WHEN NOT n.blocked THEN v.weight ELSE 0 END) AS sites,
        sum(CASE WHEN NOT n.blocked AND n.match_kind <> 'explicit' AND n.falls_back = 1 THEN v.weight ELSE 0 END) AS sites_blocked_by_fallback
    FROM successor_verdicts AS n
    JOIN stratum_classes AS v ON v.crawl = n.crawl AND v.blocking_class_id = n.blocking_class_id
    GROUP BY v.crawl, v.stratum, n.agent, n.successor
)
SELECT
    s.crawl,
    s.stratum,
    r.agent,
    r.valid_to,
    r.successor,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_blocked_by_fallback, 0) AS sites_blocked_by_fallback,
    coalesce(b.sites_blocked_by_name, 0) AS sites_blocked_by_name,
    s.sites_counted,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(b.sites AS double) / nullif(b.sites_blocked_by_name, 0) AS share_of_blocked_by_name
FROM strata AS s
CROSS JOIN retired_agents AS r
LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = r.agent AND b.successor = r.successor
ORDER BY s.crawl, s.stratum, coalesce(b.sites_blocked_by_name, 0) DESC, r.agent, r.successor
