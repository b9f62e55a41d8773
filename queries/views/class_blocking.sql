-- title: Blocking by policy class
-- question: Does a policy class block an agent, by the chosen definition?
-- grain: one row per blocking class and tracked agent with a known verdict
-- reads: definitions, class_verdicts, tracked_agents, domain_sites
-- parameter: crawl = ''
-- parameter: definition = exact
-- caveat: By d9, a site blocks an agent if the file of any site of its domain does. An unreachable site blocks all agents, but does not count for other sites of its domain.
-- caveat: has_own_verdict is true if the class names the agent. By d9, it is also true if the domain blocks the agent and not *, or the reverse. Any other agent has the verdict of *.
WITH chosen_verdicts AS (
    SELECT
        crawl,
        class_id,
        agent,
        match_kind,
        access,
        CASE $definition
            WHEN 'd1-named' THEN d1_named
            WHEN 'd2-named-with-rules' THEN d2_named_with_rules
            WHEN 'd3-named-root' THEN d3_named_root
            WHEN 'd4-only-root' THEN d4_only_root
            WHEN 'd5-root-no-allow' THEN d5_root_no_allow
            WHEN 'd6-one-root-rule' THEN d6_one_root_rule
            WHEN 'd7-named-none' THEN d7_named_none
            WHEN 'd8-root' THEN d8_root
            ELSE exact
        END AS blocked
    FROM definitions
    WHERE $crawl = '' OR crawl = $crawl
),
-- By d9, the blocking classes that may block more than their policy class, each with the set of classes of the domain that
-- block. The verdicts are those of sets and classes, because sites are many.
domain_classes AS (
    SELECT
        crawl,
        class_id,
        least_class_id,
        greatest_class_id,
        between_id,
        blocking_class_id,
        max(is_between) AS is_between
    FROM domain_sites
    GROUP BY crawl, class_id, least_class_id, greatest_class_id, between_id, blocking_class_id
),
changed_classes AS (
    SELECT
        *,
        max(blocking_class_id) OVER (PARTITION BY crawl, least_class_id, greatest_class_id, between_id) AS set_id
    FROM domain_classes
),
-- The classes of each set.
set_classes AS (
    SELECT DISTINCT crawl, set_id, least_class_id AS class_id FROM changed_classes
    UNION ALL
    SELECT DISTINCT crawl, set_id, greatest_class_id AS class_id FROM changed_classes WHERE greatest_class_id <> least_class_id
    UNION ALL
    SELECT crawl, set_id, class_id FROM changed_classes WHERE is_between = 1
),
wildcard_verdicts AS (
    SELECT crawl, class_id, match_kind, access FROM class_verdicts WHERE agent = '*' AND ($crawl = '' OR crawl = $crawl)
),
named_verdicts AS (
    SELECT crawl, class_id, agent, access FROM class_verdicts WHERE agent <> '*' AND ($crawl = '' OR crawl = $crawl)
),
-- Whether each class of a set blocks *.
wildcard_blocks AS (
    SELECT s.crawl, s.set_id, s.class_id, CASE v.access WHEN 'none' THEN 1 ELSE 0 END AS blocks
    FROM set_classes AS s
    JOIN wildcard_verdicts AS v ON v.crawl = s.crawl AND v.class_id = s.class_id
),
wildcard_sets AS (
    SELECT crawl, set_id, sum(blocks) AS classes_blocking FROM wildcard_blocks GROUP BY crawl, set_id
),
named_sets AS (
    SELECT
        s.crawl,
        s.set_id,
        v.agent,
        max(CASE v.access WHEN 'none' THEN 1 ELSE 0 END) AS blocks,
        sum(s.blocks) AS classes_blocking
    FROM wildcard_blocks AS s
    JOIN named_verdicts AS v ON v.crawl = s.crawl AND v.class_id = s.class_id
    GROUP BY s.crawl, s.set_id, v.agent
),
-- The agents that a set blocks although it does not block *, or the reverse. A class that does not name an agent treats
-- it as it treats *.
set_exceptions AS (
    SELECT n.crawl, n.set_id, n.agent, w.classes_blocking = 0 AS blocked
    FROM wildcard_sets AS w
    JOIN named_sets AS n ON n.crawl = w.crawl AND n.set_id = w.set_id
    WHERE CASE w.classes_blocking WHEN 0 THEN n.blocks = 1 ELSE n.blocks = 0 AND n.classes_blocking = w.classes_blocking END
),
wildcard_classes AS (
    SELECT
        d.crawl,
        d.class_id,
        d.set_id,
        d.blocking_class_id,
        v.match_kind,
        v.access,
        s.classes_blocking > 0 AS blocked_by_set
    FROM changed_classes AS d
    JOIN wildcard_verdicts AS v ON v.crawl = d.crawl AND v.class_id = d.class_id
    JOIN wildcard_sets AS s ON s.crawl = d.crawl AND s.set_id = d.set_id
),
-- First the agents that the class names, then those that only its set treats otherwise than *, then all others.
changed_verdicts AS (
    SELECT
        c.crawl,
        c.blocking_class_id,
        n.agent,
        'explicit' AS match_kind,
        n.access,
        coalesce(s.blocked, c.blocked_by_set) AS blocked_by_set,
        true AS has_own_verdict
    FROM wildcard_classes AS c
    JOIN named_verdicts AS n ON n.crawl = c.crawl AND n.class_id = c.class_id
    LEFT JOIN set_exceptions AS s ON s.crawl = c.crawl AND s.set_id = c.set_id AND s.agent = n.agent
    UNION ALL
    SELECT c.crawl, c.blocking_class_id, s.agent, c.match_kind, c.access, s.blocked AS blocked_by_set, true AS has_own_verdict
    FROM wildcard_classes AS c
    JOIN set_exceptions AS s ON s.crawl = c.crawl AND s.set_id = c.set_id
    LEFT JOIN named_verdicts AS n ON n.crawl = c.crawl AND n.class_id = c.class_id AND n.agent = s.agent
    WHERE n.agent IS NULL
    UNION ALL
    SELECT c.crawl, c.blocking_class_id, t.agent, c.match_kind, c.access, c.blocked_by_set, false AS has_own_verdict
    FROM wildcard_classes AS c
    JOIN tracked_agents AS t ON t.crawl = c.crawl
    LEFT JOIN named_verdicts AS n ON n.crawl = c.crawl AND n.class_id = c.class_id AND n.agent = t.agent
    LEFT JOIN set_exceptions AS s ON s.crawl = c.crawl AND s.set_id = c.set_id AND s.agent = t.agent
    WHERE n.agent IS NULL AND s.agent IS NULL
)
SELECT crawl, class_id AS blocking_class_id, agent, match_kind, access, blocked, match_kind = 'explicit' AS has_own_verdict
FROM chosen_verdicts
UNION ALL
SELECT crawl, blocking_class_id, agent, match_kind, access, access = 'none' OR blocked_by_set AS blocked, has_own_verdict
FROM changed_verdicts
WHERE $definition = 'd9-any-subdomain' AND access IS NOT NULL
