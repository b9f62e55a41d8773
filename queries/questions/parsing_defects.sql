-- title: Blocking as two studies with a parsing defect would count it
-- id: C13
-- question: For how many sites does the verdict on an agent change if groups with several user-agent lines are read as two published studies read them?
-- grain: one row per crawl, stratum, reading and tracked agent (or *), most changed sites first
-- reads: stratum_totals, stratum_contents, bodies, groups, rules, records, policies, agents
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents per reading, those with the most changed sites first
-- caveat: Blocked here means that / is disallowed. Columns without misread are by RFC 9309.
-- caveat: robotstxt-experiments is Common Crawl's study of that name. In it, each user-agent line after the first rule replaces the one before it, so only the last user-agent line of a later group keeps the rules. The wildcard group applies to an agent without rules.
-- caveat: consent-in-crisis is the study of the Data Provenance Initiative. It does the same after the first rule, crawl-delay or sitemap. A named agent that has lost its rules may fetch all paths.
-- caveat: Only this treatment of groups is reproduced. The studies also differ from RFC 9309 in how they compare names, lines and paths, and in their definition of blocked.
-- caveat: sites_named name the agent; on sites_lost of these it loses rules. sites_wrongly_allowed block the agent but are read as not blocking it. sites_wrongly_blocked are the opposite, which the wildcard group can cause.
-- caveat: An agent has a row if a file with several user-agent lines in a group names it. All other agents change as * does.
WITH chosen_agents AS (
    SELECT lower(token) AS token FROM agents WHERE tracked AND ('' IN ($tokens) OR lower(token) IN ($tokens))
    UNION
    SELECT '*' AS token
),
-- Bodies with several user-agent lines in a group.
stacked_bodies AS (
    SELECT b.crawl, c.stratum, b.body_id, c.weight
    FROM bodies AS b
    JOIN stratum_contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
    WHERE b.agent_count > b.group_count
),
first_rules AS (
    SELECT crawl, body_id, min(line_no) AS line_no, max(group_no) AS last_group FROM rules GROUP BY crawl, body_id
),
-- The line of a body after which a user-agent line replaces those before it. Readings have numbers here, which take
-- less memory than their names: 1 is consent-in-crisis, 2 is robotstxt-experiments.
replacement_starts AS (
    SELECT 2 AS reading, crawl, body_id, line_no AS start_line, last_group
    FROM first_rules
    UNION ALL
    SELECT 1 AS reading, crawl, body_id, min(line_no) AS start_line, max(last_group) AS last_group
    FROM (
        SELECT crawl, body_id, line_no, last_group FROM first_rules
        UNION ALL
        SELECT crawl, body_id, line_no, CAST(NULL AS INT) AS last_group FROM records WHERE key IN ('crawl-delay', 'sitemap')
    ) AS lines
    GROUP BY crawl, body_id
),
-- Groups with several user-agent lines. If a group has only one, that line always keeps the rules.
group_ends AS (
    SELECT crawl, body_id, group_no, max(line_no) AS last_line
    FROM groups
    GROUP BY crawl, body_id, group_no
    HAVING count(*) > 1
),
chosen_groups AS (
    -- An agent that a group names twice keeps the rules if its last line does.
    SELECT crawl, body_id, group_no, max(line_no) AS line_no, token, root_weight, root_allowed
    FROM groups
    WHERE token IN (SELECT token FROM chosen_agents)
    GROUP BY crawl, body_id, group_no, token, root_weight, root_allowed
),
read_lines AS (
    SELECT
        l.reading,
        g.crawl,
        s.stratum,
        g.body_id,
        s.weight,
        g.group_no,
        g.token,
        g.root_weight,
        g.root_allowed,
        -- The last user-agent line of a group replaces the others if it comes after the start line.
        e.last_line IS NULL OR g.line_no = e.last_line OR e.last_line < l.start_line AS is_kept,
        -- Only the last group of a file can be without rules, and without rules none are lost.
        g.group_no <= coalesce(l.last_group, -1) AS has_rules
    FROM chosen_groups AS g
    JOIN stacked_bodies AS s ON s.crawl = g.crawl AND s.body_id = g.body_id
    LEFT JOIN group_ends AS e ON e.crawl = g.crawl AND e.body_id = g.body_id AND e.group_no = g.group_no
    JOIN replacement_starts AS l ON l.crawl = g.crawl AND l.body_id = g.body_id
),
body_agents AS (
    SELECT
        r.reading,
        r.crawl,
        r.stratum,
        r.body_id,
        r.weight,
        r.token,
        max(CASE WHEN r.is_kept OR NOT r.has_rules THEN 0 ELSE 1 END) AS loses,
        max(CASE WHEN r.is_kept THEN 1 ELSE 0 END) AS keeps,
        -- Of the groups of an agent, the one with the greatest weight decides.
        max(CASE WHEN r.root_allowed THEN 0 ELSE r.root_weight END) > max(CASE WHEN r.root_allowed THEN r.root_weight ELSE 0 END) AS is_blocked,
        max(CASE WHEN r.root_allowed OR NOT r.is_kept THEN 0 ELSE r.root_weight END)
            > max(CASE WHEN r.root_allowed AND r.is_kept THEN r.root_weight ELSE 0 END) AS is_kept_blocked
    FROM read_lines AS r
    GROUP BY r.reading, r.crawl, r.stratum, r.body_id, r.weight, r.token
),
wildcard_verdicts AS (
    SELECT reading, crawl, stratum, body_id, weight, is_blocked, keeps = 1 AND is_kept_blocked AS is_misread_blocked
    FROM body_agents
    WHERE token = '*'
),
misread_verdicts AS (
    SELECT
        b.reading,
        b.crawl,
        b.stratum,
        b.weight,
        b.token,
        b.loses,
        b.is_blocked,
        CASE
            WHEN b.keeps = 1 THEN b.is_kept_blocked
            WHEN b.reading = 1 THEN false
            ELSE coalesce(s.is_misread_blocked, false)
        END AS is_misread_blocked
    FROM body_agents AS b
    LEFT JOIN wildcard_verdicts AS s ON s.reading = b.reading AND s.crawl = b.crawl AND s.stratum = b.stratum AND s.body_id = b.body_id
),
named_changes AS (
    SELECT
        m.reading,
        m.crawl,
        m.stratum,
        m.token,
        sum(m.loses * m.weight) AS sites_lost,
        sum(CASE WHEN m.is_blocked AND NOT m.is_misread_blocked THEN m.weight ELSE 0 END) AS wrongly_allowed,
        sum(CASE WHEN m.is_misread_blocked AND NOT m.is_blocked THEN m.weight ELSE 0 END) AS wrongly_blocked
    FROM misread_verdicts AS m
    GROUP BY m.reading, m.crawl, m.stratum, m.token
),
-- The wildcard group decides for an agent that a file does not name.
wildcard_changes AS (
    SELECT reading, crawl, stratum, body_id, weight AS sites, CASE WHEN is_blocked THEN 1 ELSE 0 END AS wrongly_allowed
    FROM wildcard_verdicts
    WHERE is_blocked <> is_misread_blocked
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
chosen_policies AS (
    SELECT crawl, body_id, token, root_allowed FROM policies WHERE token IN (SELECT token FROM chosen_agents)
),
counted_policies AS (
    SELECT p.crawl, c.stratum, p.body_id, p.token, p.root_allowed, c.weight AS sites
    FROM chosen_policies AS p
    JOIN stratum_contents AS c ON c.crawl = p.crawl AND c.body_id = p.body_id
),
wildcard_blocks AS (
    SELECT crawl, stratum, body_id, sites FROM counted_policies WHERE token = '*' AND NOT root_allowed
),
wildcard_block_totals AS (
    SELECT crawl, stratum, sum(sites) AS sites FROM wildcard_blocks GROUP BY crawl, stratum
),
named_totals AS (
    SELECT
        c.crawl,
        c.stratum,
        c.token,
        sum(c.sites) AS sites_named,
        sum(CASE WHEN c.root_allowed THEN 0 ELSE c.sites END) AS blocked_by_name,
        sum(CASE WHEN s.body_id IS NULL THEN 0 ELSE c.sites END) AS wildcard_blocked_named
    FROM counted_policies AS c
    LEFT JOIN wildcard_blocks AS s ON s.crawl = c.crawl AND s.stratum = c.stratum AND s.body_id = c.body_id
    GROUP BY c.crawl, c.stratum, c.token
),
agent_changes AS (
    SELECT
        CASE n.reading WHEN 1 THEN 'consent-in-crisis' ELSE 'robotstxt-experiments' END AS reading,
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
    LEFT JOIN wildcard_block_totals AS s ON s.crawl = n.crawl AND s.stratum = n.stratum
    LEFT JOIN wildcard_totals AS o ON o.reading = n.reading AND o.crawl = n.crawl AND o.stratum = n.stratum
    LEFT JOIN named_wildcard_totals AS a ON a.reading = n.reading AND a.crawl = n.crawl AND a.stratum = n.stratum AND a.token = n.token
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum, reading ORDER BY round(sites_wrongly_allowed + sites_wrongly_blocked, 6) DESC, round(sites_lost, 6) DESC, round(sites_named, 6) DESC, agent
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
    CAST(r.sites_blocked AS double) / c.sites_counted AS share_blocked,
    CAST(r.sites_blocked - r.sites_wrongly_allowed + r.sites_wrongly_blocked AS double) / c.sites_counted AS share_blocked_misread
FROM ranked_agents AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.reading, r.place
