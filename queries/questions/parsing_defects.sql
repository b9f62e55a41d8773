-- title: How far two parsing defects move what is said of blocking
-- id: C13
-- question: For how many sites does the answer for an agent change, if groups with several user-agent lines are read as two published studies read them?
-- grain: one row per crawl, reading and agent, of the tracked agents whose answer changes on the most sites, the star among them
-- reads: crawl_totals, contents, groups, rules, records, policies, group_roots, agents
-- parameter: top integer = 50, rows: how many agents of each reading, those with the most changed sites first
-- caveat: blocked means that the path / may not be fetched; blocked without more is by RFC 9309, misread is by the reading
-- caveat: the reading robotstxt-experiments is that of Common Crawl's study of that name: once a rule was seen, each user-agent line replaces those before it, so that of a later group its last line alone keeps the rules, and an agent without rules falls back to the star
-- caveat: the reading consent-in-crisis is that of the Data Provenance Initiative: the same, but once a rule, a crawl-delay or a sitemap was seen, and an agent that is named and has lost its rules may fetch all
-- caveat: only what becomes of groups is read their way; how their programs compare names, lines and paths, and what they call blocked, differs as well and is left out
-- caveat: sites_named are those that name the agent, sites_lost those of them where it loses rules; sites_freed are blocked and read as not blocked, sites_caught the other way round, which a fallback to the star can do
-- caveat: an agent is a row if a file with several user-agent lines in a group names it; all others move as the star does
WITH tracked AS (
    SELECT lower(token) AS token FROM agents WHERE tracked
    UNION
    SELECT '*' AS token
),
-- From which line on a user-agent line replaces those before it.
latches AS (
    SELECT reading, crawl, body_id, min(line_no) AS latch_line
    FROM (
        SELECT n.reading, r.crawl, r.body_id, min(r.line_no) AS line_no
        FROM (VALUES ('robotstxt-experiments'), ('consent-in-crisis')) AS n (reading)
        CROSS JOIN rules AS r
        GROUP BY n.reading, r.crawl, r.body_id
        UNION ALL
        SELECT 'consent-in-crisis', crawl, body_id, min(line_no)
        FROM records
        WHERE key IN ('crawl-delay', 'sitemap')
        GROUP BY crawl, body_id
    ) AS lines
    GROUP BY reading, crawl, body_id
),
heads AS (
    SELECT
        crawl,
        body_id,
        group_no,
        token,
        line_no,
        max(line_no) OVER (PARTITION BY crawl, body_id, group_no) AS last_line
    FROM groups
),
stacked AS (
    SELECT DISTINCT h.crawl, h.body_id
    FROM heads AS h
    WHERE h.line_no < h.last_line
),
lines AS (
    SELECT
        l.reading,
        h.crawl,
        h.body_id,
        h.group_no,
        h.token,
        -- The last line of a head replaces the others of it if it stands behind the latch.
        h.line_no = h.last_line OR h.last_line < l.latch_line AS is_kept
    FROM heads AS h
    JOIN stacked AS s ON s.crawl = h.crawl AND s.body_id = h.body_id
    JOIN contents AS c ON c.crawl = h.crawl AND c.body_id = h.body_id
    JOIN latches AS l ON l.crawl = h.crawl AND l.body_id = h.body_id
    WHERE h.token IN (SELECT token FROM tracked)
),
named AS (
    SELECT
        l.reading,
        l.crawl,
        l.body_id,
        l.token,
        max(CASE WHEN l.is_kept THEN 0 ELSE 1 END) AS loses,
        max(CASE WHEN l.is_kept THEN 1 ELSE 0 END) AS keeps,
        coalesce(max(g.disallow_octets), 0) > coalesce(max(g.allow_octets), 0) AS is_blocked,
        coalesce(max(CASE WHEN l.is_kept THEN g.disallow_octets END), 0)
            > coalesce(max(CASE WHEN l.is_kept THEN g.allow_octets END), 0) AS is_kept_blocked
    FROM lines AS l
    LEFT JOIN group_roots AS g ON g.crawl = l.crawl AND g.body_id = l.body_id AND g.group_no = l.group_no
    GROUP BY l.reading, l.crawl, l.body_id, l.token
),
stars AS (
    SELECT reading, crawl, body_id, is_blocked, keeps = 1 AND is_kept_blocked AS is_misread_blocked
    FROM named
    WHERE token = '*'
),
misread AS (
    SELECT
        n.reading,
        n.crawl,
        n.body_id,
        n.token,
        n.loses,
        n.is_blocked,
        CASE
            WHEN n.keeps = 1 THEN n.is_kept_blocked
            WHEN n.reading = 'consent-in-crisis' THEN false
            ELSE coalesce(s.is_misread_blocked, false)
        END AS is_misread_blocked
    FROM named AS n
    LEFT JOIN stars AS s ON s.reading = n.reading AND s.crawl = n.crawl AND s.body_id = n.body_id
),
by_name AS (
    SELECT
        m.reading,
        m.crawl,
        m.token,
        sum(m.loses * c.sites) AS sites_lost,
        sum(CASE WHEN m.is_blocked AND NOT m.is_misread_blocked THEN c.sites ELSE 0 END) AS freed,
        sum(CASE WHEN m.is_misread_blocked AND NOT m.is_blocked THEN c.sites ELSE 0 END) AS caught
    FROM misread AS m
    JOIN contents AS c ON c.crawl = m.crawl AND c.body_id = m.body_id
    GROUP BY m.reading, m.crawl, m.token
),
-- An agent that a file does not name goes where the star goes.
star_moved AS (
    SELECT
        s.reading,
        s.crawl,
        s.body_id,
        c.sites,
        CASE WHEN s.is_blocked THEN 1 ELSE 0 END AS freed
    FROM stars AS s
    JOIN contents AS c ON c.crawl = s.crawl AND c.body_id = s.body_id
    WHERE s.is_blocked <> s.is_misread_blocked
),
star_sums AS (
    SELECT reading, crawl, sum(freed * sites) AS freed, sum((1 - freed) * sites) AS caught
    FROM star_moved
    GROUP BY reading, crawl
),
star_spared AS (
    SELECT s.reading, s.crawl, n.token, sum(s.freed * s.sites) AS freed, sum((1 - s.freed) * s.sites) AS caught
    FROM star_moved AS s
    JOIN policies AS n ON n.crawl = s.crawl AND n.body_id = s.body_id
    GROUP BY s.reading, s.crawl, n.token
),
policies_read AS (
    SELECT p.crawl, p.body_id, p.token, p.root_allowed, c.sites
    FROM policies AS p
    JOIN contents AS c ON c.crawl = p.crawl AND c.body_id = p.body_id
    WHERE p.token IN (SELECT token FROM tracked)
),
star_refuses AS (
    SELECT crawl, body_id, sites FROM policies_read WHERE token = '*' AND NOT root_allowed
),
star_counts AS (
    SELECT crawl, sum(sites) AS sites FROM star_refuses GROUP BY crawl
),
correct AS (
    SELECT
        p.crawl,
        p.token,
        sum(p.sites) AS sites_named,
        sum(CASE WHEN p.root_allowed THEN 0 ELSE p.sites END) AS blocked_by_name,
        sum(CASE WHEN s.body_id IS NULL THEN 0 ELSE p.sites END) AS spared_by_name
    FROM policies_read AS p
    LEFT JOIN star_refuses AS s ON s.crawl = p.crawl AND s.body_id = p.body_id
    GROUP BY p.crawl, p.token
),
told AS (
    SELECT
        b.reading,
        b.crawl,
        b.token AS agent,
        c.sites_named,
        b.sites_lost,
        c.blocked_by_name + coalesce(w.sites, 0) - c.spared_by_name AS sites_blocked,
        b.freed + coalesce(s.freed, 0) - coalesce(o.freed, 0) AS sites_freed,
        b.caught + coalesce(s.caught, 0) - coalesce(o.caught, 0) AS sites_caught
    FROM by_name AS b
    JOIN correct AS c ON c.crawl = b.crawl AND c.token = b.token
    LEFT JOIN star_counts AS w ON w.crawl = b.crawl
    LEFT JOIN star_sums AS s ON s.reading = b.reading AND s.crawl = b.crawl
    LEFT JOIN star_spared AS o ON o.reading = b.reading AND o.crawl = b.crawl AND o.token = b.token
),
ranked AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, reading ORDER BY sites_freed + sites_caught DESC, sites_lost DESC, sites_named DESC, agent
        ) AS bigint) AS place
    FROM told
)
SELECT
    t.crawl,
    t.reading,
    t.place,
    t.agent,
    t.sites_named,
    t.sites_lost,
    t.sites_freed,
    t.sites_caught,
    t.sites_blocked,
    t.sites_blocked - t.sites_freed + t.sites_caught AS sites_blocked_misread,
    n.sites_counted,
    CAST(t.sites_blocked AS double) / n.sites_counted AS share_blocked,
    CAST(t.sites_blocked - t.sites_freed + t.sites_caught AS double) / n.sites_counted AS share_blocked_misread
FROM ranked AS t
JOIN crawl_totals AS n ON n.crawl = t.crawl
WHERE t.place <= $top
ORDER BY t.crawl, t.reading, t.place
