-- title: Blocking as two studies with a parsing defect would count it
-- id: C13
-- question: For how many sites does the verdict on an agent change if groups with several user-agent lines are read as two published studies read them?
-- grain: one row per crawl, stratum, reading and tracked agent (or *), most changed sites first
-- reads: stratum_totals, stratum_bodies, stratum_contents, bodies, groups, rules, records, policies, body_classes, class_verdicts, agents
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents per reading, those with the most changed sites first
-- column: reading: the study whose reading of groups is compared: consent-in-crisis, robotstxt-experiments
-- column: place: the place of the row in its crawl, stratum and reading, from 1
-- column: sites_named: sites whose file names the agent; for *, those with a wildcard group
-- column: sites_lost: of sites_named, those where the agent loses rules in this reading
-- column: sites_wrongly_allowed: sites that block the agent, but not in this reading
-- column: sites_wrongly_blocked: sites that block the agent in this reading only
-- column: sites_blocked: sites that block the agent by RFC 9309: / is disallowed for it, or the file is unreachable
-- column: sites_blocked_misread: sites that block the agent in this reading
-- column: share_blocked: sites_blocked divided by sites_counted
-- column: share_blocked_misread: sites_blocked_misread divided by sites_counted
-- caveat: Blocked here means that / is disallowed, or that the file is unreachable. Columns without misread are by RFC 9309.
-- caveat: robotstxt-experiments is Common Crawl's study of that name. In it, each user-agent line after the first rule replaces the one before it, so only the last user-agent line of a later group keeps the rules. The wildcard group applies to an agent without rules.
-- caveat: consent-in-crisis is the study of the Data Provenance Initiative. It does the same after the first rule, crawl-delay or sitemap. A named agent that has lost its rules may fetch all paths.
-- caveat: Only this treatment of groups is reproduced. The studies also differ from RFC 9309 in how they compare names, lines and paths, and in their definition of blocked.
-- caveat: sites_named name the agent; on sites_lost of these it loses rules. sites_wrongly_allowed block the agent but are read as not blocking it. sites_wrongly_blocked are the opposite, which the wildcard group can cause.
-- caveat: Only files with several user-agent lines in a group are read as the studies read them. An agent has a row if such a file names it. All other agents change as * does.
WITH chosen_agents AS (
    SELECT token FROM agents WHERE tracked AND ('' IN ($tokens) OR token IN ($tokens))
    UNION
    SELECT '*' AS token
),
first_rules AS (
    SELECT crawl, body_id, min(line_no) AS line_no, max(group_no) AS last_group FROM rules GROUP BY crawl, body_id
),
-- Bodies with several user-agent lines in a group. Only the last group of a file can be without rules.
stacked_bodies AS (
    SELECT b.crawl, b.body_id, r.line_no AS first_rule, coalesce(r.last_group, -1) AS last_group
    FROM bodies AS b
    LEFT JOIN first_rules AS r ON r.crawl = b.crawl AND r.body_id = b.body_id
    WHERE b.agent_count > b.group_count
),
first_records AS (
    SELECT crawl, body_id, min(line_no) AS line_no FROM records WHERE key IN ('crawl-delay', 'sitemap') GROUP BY crawl, body_id
),
group_ends AS (
    SELECT crawl, body_id, group_no, max(line_no) AS last_line
    FROM groups
    GROUP BY crawl, body_id, group_no
    HAVING count(*) > 1
),
-- Groups with several user-agent lines, and whether a reading replaces them by the last one: if that comes after the
-- first rule, crawl-delay or sitemap in consent-in-crisis, after the first rule in robotstxt-experiments. The columns of
-- a reading have its last word.
stacked_groups AS (
    SELECT
        e.crawl,
        e.body_id,
        e.group_no,
        e.last_line,
        e.last_line >= least(s.first_rule, c.line_no) AS crisis_replaces,
        e.last_line >= s.first_rule AS experiments_replaces
    FROM group_ends AS e
    JOIN stacked_bodies AS s ON s.crawl = e.crawl AND s.body_id = e.body_id
    LEFT JOIN first_records AS c ON c.crawl = e.crawl AND c.body_id = e.body_id
),
-- A line names an agent by its token or its product token.
chosen_lines AS (
    SELECT g.crawl, g.body_id, g.group_no, g.line_no, g.token, g.root_weight, g.root_allowed, g.group_no <= s.last_group AS has_rules
    FROM groups AS g
    JOIN stacked_bodies AS s ON s.crawl = g.crawl AND s.body_id = g.body_id
    WHERE g.token IN (SELECT token FROM chosen_agents)
    UNION ALL
    SELECT g.crawl, g.body_id, g.group_no, g.line_no, g.product_token AS token, g.root_weight, g.root_allowed, g.group_no <= s.last_group AS has_rules
    FROM groups AS g
    JOIN stacked_bodies AS s ON s.crawl = g.crawl AND s.body_id = g.body_id
    WHERE g.product_token IN (SELECT token FROM chosen_agents)
),
chosen_groups AS (
    -- An agent that a group names twice keeps the rules if its last line does.
    SELECT crawl, body_id, group_no, max(line_no) AS line_no, token, root_weight, root_allowed, has_rules
    FROM chosen_lines
    GROUP BY crawl, body_id, group_no, token, root_weight, root_allowed, has_rules
),
read_groups AS (
    SELECT
        g.crawl,
        g.body_id,
        g.token,
        CASE WHEN g.root_allowed THEN g.root_weight ELSE 0 END AS allowing,
        CASE WHEN g.root_allowed THEN 0 ELSE g.root_weight END AS blocking,
        g.has_rules,
        coalesce(s.crisis_replaces AND g.line_no < s.last_line, false) AS crisis_drops,
        coalesce(s.experiments_replaces AND g.line_no < s.last_line, false) AS experiments_drops
    FROM chosen_groups AS g
    LEFT JOIN stacked_groups AS s ON s.crawl = g.crawl AND s.body_id = g.body_id AND s.group_no = g.group_no
),
-- Of the groups of an agent, the one with the greatest weight decides.
body_agents AS (
    SELECT
        crawl,
        body_id,
        token,
        max(blocking) > max(allowing) AS is_blocked,
        max(CASE WHEN crisis_drops AND has_rules THEN 1 ELSE 0 END) AS crisis_loses,
        max(CASE WHEN crisis_drops THEN 0 ELSE blocking END) > max(CASE WHEN crisis_drops THEN 0 ELSE allowing END) AS crisis_blocks,
        max(CASE WHEN experiments_drops AND has_rules THEN 1 ELSE 0 END) AS experiments_loses,
        max(CASE WHEN experiments_drops THEN 0 ELSE blocking END) > max(CASE WHEN experiments_drops THEN 0 ELSE allowing END) AS experiments_blocks,
        max(CASE WHEN has_rules AND NOT experiments_drops THEN 1 ELSE 0 END) AS experiments_finds
    FROM read_groups
    GROUP BY crawl, body_id, token
),
wildcard_verdicts AS (
    SELECT crawl, body_id, is_blocked, crisis_blocks, experiments_blocks FROM body_agents WHERE token = '*'
),
misread_verdicts AS (
    SELECT
        c.crawl,
        c.stratum,
        c.weight,
        a.token,
        a.is_blocked,
        a.crisis_loses,
        a.crisis_blocks,
        a.experiments_loses,
        a.experiments_blocks OR a.experiments_finds = 0 AND coalesce(w.experiments_blocks, false) AS experiments_blocks
    FROM stratum_contents AS c
    JOIN body_agents AS a ON a.crawl = c.crawl AND a.body_id = c.body_id
    LEFT JOIN wildcard_verdicts AS w ON w.crawl = a.crawl AND w.body_id = a.body_id
),
misread_totals AS (
    SELECT
        crawl,
        stratum,
        token,
        sum(crisis_loses * weight) AS crisis_lost,
        sum(CASE WHEN is_blocked AND NOT crisis_blocks THEN weight ELSE 0 END) AS crisis_allowed,
        sum(CASE WHEN crisis_blocks AND NOT is_blocked THEN weight ELSE 0 END) AS crisis_blocked,
        sum(experiments_loses * weight) AS experiments_lost,
        sum(CASE WHEN is_blocked AND NOT experiments_blocks THEN weight ELSE 0 END) AS experiments_allowed,
        sum(CASE WHEN experiments_blocks AND NOT is_blocked THEN weight ELSE 0 END) AS experiments_blocked
    FROM misread_verdicts
    GROUP BY crawl, stratum, token
),
named_changes AS (
    SELECT
        'consent-in-crisis' AS reading, crawl, stratum, token, crisis_lost AS sites_lost, crisis_allowed AS wrongly_allowed, crisis_blocked AS wrongly_blocked
    FROM misread_totals
    UNION ALL
    SELECT
        'robotstxt-experiments' AS reading, crawl, stratum, token, experiments_lost AS sites_lost, experiments_allowed AS wrongly_allowed, experiments_blocked AS wrongly_blocked
    FROM misread_totals
),
-- The wildcard group decides for an agent that a file does not name.
wildcard_changes AS (
    SELECT v.reading, c.crawl, c.stratum, c.body_id, c.weight AS sites, CASE WHEN v.is_blocked THEN 1 ELSE 0 END AS wrongly_allowed
    FROM (
        SELECT 'consent-in-crisis' AS reading, crawl, body_id, is_blocked FROM wildcard_verdicts WHERE is_blocked <> crisis_blocks
        UNION ALL
        SELECT 'robotstxt-experiments' AS reading, crawl, body_id, is_blocked FROM wildcard_verdicts WHERE is_blocked <> experiments_blocks
    ) AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
),
wildcard_totals AS (
    SELECT reading, crawl, stratum, sum(wrongly_allowed * sites) AS wrongly_allowed, sum((1 - wrongly_allowed) * sites) AS wrongly_blocked
    FROM wildcard_changes
    GROUP BY reading, crawl, stratum
),
named_wildcard_totals AS (
    SELECT s.reading, s.crawl, s.stratum, n.token, sum(s.wrongly_allowed * s.sites) AS wrongly_allowed, sum((1 - s.wrongly_allowed) * s.sites) AS wrongly_blocked
    FROM wildcard_changes AS s
    JOIN policies AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
    GROUP BY s.reading, s.crawl, s.stratum, n.token
),
-- All bodies of a class name the same tracked agents, with the same verdicts.
class_weights AS (
    SELECT c.crawl, c.stratum, b.class_id, sum(c.weight) AS weight
    FROM stratum_contents AS c
    JOIN body_classes AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    GROUP BY c.crawl, c.stratum, b.class_id
),
wildcard_blockers AS (
    SELECT crawl, class_id FROM class_verdicts WHERE agent = '*' AND match_kind = 'wildcard' AND NOT root_allowed
),
-- Sites that block the agents that they do not name. An unreachable file blocks all, and no reading changes that.
unnamed_block_totals AS (
    SELECT crawl, stratum, sum(weight) AS sites
    FROM (
        SELECT c.crawl, c.stratum, c.weight
        FROM wildcard_blockers AS w
        JOIN class_weights AS c ON c.crawl = w.crawl AND c.class_id = w.class_id
        UNION ALL
        SELECT crawl, stratum, weight FROM stratum_bodies WHERE outcome = 'unreachable'
    ) AS b
    GROUP BY crawl, stratum
),
named_totals AS (
    SELECT
        c.crawl,
        c.stratum,
        v.agent AS token,
        sum(c.weight) AS sites_named,
        sum(CASE WHEN v.root_allowed THEN 0 ELSE c.weight END) AS blocked_by_name,
        sum(CASE WHEN w.class_id IS NULL THEN 0 ELSE c.weight END) AS wildcard_blocked_named
    FROM wildcard_blockers AS w
    RIGHT JOIN class_weights AS c ON c.crawl = w.crawl AND c.class_id = w.class_id
    JOIN class_verdicts AS v ON v.crawl = c.crawl AND v.class_id = c.class_id
    WHERE v.match_kind <> 'none'
    GROUP BY c.crawl, c.stratum, v.agent
),
agent_changes AS (
    SELECT
        n.reading,
        n.crawl,
        n.stratum,
        n.token AS agent,
        t.sites_named,
        n.sites_lost,
        t.blocked_by_name + coalesce(s.sites, 0) - t.wildcard_blocked_named AS sites_blocked,
        n.wrongly_allowed + coalesce(o.wrongly_allowed, 0) - coalesce(a.wrongly_allowed, 0) AS sites_wrongly_allowed,
        n.wrongly_blocked + coalesce(o.wrongly_blocked, 0) - coalesce(a.wrongly_blocked, 0) AS sites_wrongly_blocked
    FROM named_changes AS n
    JOIN named_totals AS t ON t.crawl = n.crawl AND t.stratum = n.stratum AND t.token = n.token
    LEFT JOIN unnamed_block_totals AS s ON s.crawl = n.crawl AND s.stratum = n.stratum
    LEFT JOIN wildcard_totals AS o ON o.reading = n.reading AND o.crawl = n.crawl AND o.stratum = n.stratum
    LEFT JOIN named_wildcard_totals AS a ON a.reading = n.reading AND a.crawl = n.crawl AND a.stratum = n.stratum AND a.token = n.token
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum, reading ORDER BY sites_wrongly_allowed + sites_wrongly_blocked DESC, sites_lost DESC, sites_named DESC, agent
        ) AS bigint) AS place
    FROM agent_changes
)
SELECT
    r.crawl,
    r.stratum,
    r.reading,
    r.place,
    r.agent,
    r.sites_named,
    r.sites_lost,
    r.sites_wrongly_allowed,
    r.sites_wrongly_blocked,
    r.sites_blocked,
    r.sites_blocked - r.sites_wrongly_allowed + r.sites_wrongly_blocked AS sites_blocked_misread,
    c.sites_counted,
    CAST(r.sites_blocked AS double) / nullif(c.sites_counted, 0) AS share_blocked,
    CAST(r.sites_blocked - r.sites_wrongly_allowed + r.sites_wrongly_blocked AS double) / nullif(c.sites_counted, 0) AS share_blocked_misread
FROM ranked_agents AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.reading, r.place
