-- title: Preferences that the rules contradict
-- id: F03
-- question: What share of the sites that state a preference on AI has rules that contradict it?
-- grain: one row per crawl, stratum, use and conflict, and one for any conflict
-- reads: stratum_files, signals, groups, policies, agents
-- parameter: denominator = read
-- column: preferred_use: search, input, training: the use that the preference is about
-- column: conflict: any, yes_and_blocked, no_and_allowed, yes_where_all_is_blocked, yes_and_no; the caveats explain them
-- column: sites: sites whose file has this conflict on this use
-- column: sites_counted: sites whose file states a preference on this use
-- caveat: sites_counted counts the sites whose file states a preference on that use. The view vocabularies has the labels of each use. Labels for any use (all, bots, tdm) and for the extent of use (use) are omitted.
-- caveat: Rules say what may be fetched, signals what may be done with it, so a contradiction may be intended. yes_and_blocked and no_and_allowed consider named agents that are known for that one use only (input: fetching for a user). yes_and_blocked: such an agent is blocked. no_and_allowed: such an agent may fetch all paths. yes_where_all_is_blocked: an agent of the group that has the line is blocked. yes_and_no: in one group and for the same path, one preference allows that use and another disallows it, by the same label or by two labels of the use.
WITH stated_preferences AS (
    SELECT
        crawl,
        body_id,
        group_no,
        path,
        purpose AS preferred_use,
        stated = 'allow' AS is_yes
    FROM signals
    WHERE effect = 'stands' AND purpose IN ('search', 'input', 'training')
),
single_use_agents AS (
    SELECT DISTINCT
        token,
        CASE purposes WHEN 'user-fetch' THEN 'input' ELSE purposes END AS preferred_use
    FROM agents
    WHERE purposes IN ('training', 'search', 'user-fetch')
),
body_uses AS (
    SELECT
        crawl,
        body_id,
        preferred_use,
        max(CASE WHEN is_yes THEN 1 ELSE 0 END) AS says_yes,
        max(CASE WHEN is_yes THEN 0 ELSE 1 END) AS says_no
    FROM stated_preferences
    GROUP BY crawl, body_id, preferred_use
),
named_verdicts AS (
    SELECT
        p.crawl,
        p.body_id,
        s.preferred_use,
        max(CASE WHEN p.access = 'none' THEN 1 ELSE 0 END) AS blocks,
        max(CASE WHEN p.access = 'all' THEN 1 ELSE 0 END) AS allows
    FROM policies AS p
    JOIN single_use_agents AS s ON s.token = p.token
    WHERE EXISTS (SELECT 1 FROM body_uses AS b WHERE b.crawl = p.crawl AND b.body_id = p.body_id)
    GROUP BY p.crawl, p.body_id, s.preferred_use
),
-- Each group once, however many lines it has, so that the time does not grow with the square of a file.
stated_groups AS (
    SELECT DISTINCT crawl, body_id, group_no, preferred_use FROM stated_preferences WHERE is_yes
),
blocked_groups AS (
    SELECT g.crawl, g.body_id, g.group_no
    FROM (SELECT DISTINCT crawl, body_id, group_no FROM stated_groups) AS s
    JOIN groups AS g ON g.crawl = s.crawl AND g.body_id = s.body_id AND g.group_no = s.group_no
    JOIN policies AS p ON p.crawl = g.crawl AND p.body_id = g.body_id AND p.token = g.token
    WHERE p.access = 'none'
    UNION
    SELECT g.crawl, g.body_id, g.group_no
    FROM (SELECT DISTINCT crawl, body_id, group_no FROM stated_groups) AS s
    JOIN groups AS g ON g.crawl = s.crawl AND g.body_id = s.body_id AND g.group_no = s.group_no
    JOIN policies AS p ON p.crawl = g.crawl AND p.body_id = g.body_id AND p.token = g.product_token
    WHERE p.access = 'none'
),
body_conflicts AS (
    SELECT s.crawl, s.body_id, s.preferred_use, 'yes_and_blocked' AS conflict
    FROM body_uses AS s
    JOIN named_verdicts AS n ON n.crawl = s.crawl AND n.body_id = s.body_id AND n.preferred_use = s.preferred_use
    WHERE s.says_yes = 1 AND n.blocks = 1
    UNION
    SELECT s.crawl, s.body_id, s.preferred_use, 'no_and_allowed' AS conflict
    FROM body_uses AS s
    JOIN named_verdicts AS n ON n.crawl = s.crawl AND n.body_id = s.body_id AND n.preferred_use = s.preferred_use
    WHERE s.says_no = 1 AND n.allows = 1
    UNION
    SELECT s.crawl, s.body_id, s.preferred_use, 'yes_where_all_is_blocked' AS conflict
    FROM stated_groups AS s
    JOIN blocked_groups AS b ON b.crawl = s.crawl AND b.body_id = s.body_id AND b.group_no = s.group_no
    UNION
    SELECT s.crawl, s.body_id, s.preferred_use, 'yes_and_no' AS conflict
    FROM stated_preferences AS s
    GROUP BY s.crawl, s.body_id, s.preferred_use, s.group_no, s.path
    HAVING min(CASE WHEN s.is_yes THEN 1 ELSE 0 END) < max(CASE WHEN s.is_yes THEN 1 ELSE 0 END)
),
each_body_conflict AS (
    SELECT crawl, body_id, preferred_use, conflict FROM body_conflicts
    UNION
    SELECT crawl, body_id, preferred_use, 'any' AS conflict FROM body_conflicts
),
use_totals AS (
    SELECT f.crawl, f.stratum, b.preferred_use, sum(f.weight) AS sites_counted
    FROM body_uses AS b
    JOIN stratum_files AS f ON f.crawl = b.crawl AND f.body_id = b.body_id
    GROUP BY f.crawl, f.stratum, b.preferred_use
),
sites_by_conflict AS (
    SELECT f.crawl, f.stratum, e.preferred_use, e.conflict, sum(f.weight) AS sites
    FROM each_body_conflict AS e
    JOIN stratum_files AS f ON f.crawl = e.crawl AND f.body_id = e.body_id
    GROUP BY f.crawl, f.stratum, e.preferred_use, e.conflict
),
conflicts AS (
    SELECT *
    FROM (VALUES
        (1, 'any'),
        (2, 'yes_and_blocked'),
        (3, 'no_and_allowed'),
        (4, 'yes_where_all_is_blocked'),
        (5, 'yes_and_no')
    ) AS l (place, conflict)
)
SELECT
    u.crawl,
    u.stratum,
    u.preferred_use,
    c.conflict,
    coalesce(s.sites, 0) AS sites,
    u.sites_counted,
    CAST(coalesce(s.sites, 0) AS double) / nullif(u.sites_counted, 0) AS share
FROM use_totals AS u
CROSS JOIN conflicts AS c
LEFT JOIN sites_by_conflict AS s
    ON s.crawl = u.crawl AND s.stratum = u.stratum AND s.preferred_use = u.preferred_use AND s.conflict = c.conflict
ORDER BY u.crawl, u.stratum, u.sites_counted DESC, u.preferred_use, c.place
