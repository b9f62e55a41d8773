-- title: Policy classes of sites
-- question: Which sites treat every tracked agent alike by every definition of blocking?
-- grain: one row per site
-- reads: sites, policies, tracked_agents
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
-- The source of a site's verdicts is its body. Without a body it is a negative number for the access by the outcome.
sites_by_source AS (
    SELECT
        site_id,
        CASE
            WHEN access_without_rules IS NULL THEN -3
            WHEN access_without_rules = 'none' THEN -2
            ELSE coalesce(body_id, -1)
        END AS source_no
    FROM sites
    WHERE crawl = $crawl
),
sources AS (
    SELECT source_no, min(site_id) AS site_id FROM sites_by_source GROUP BY source_no
),
sources_by_verdicts AS (
    SELECT
        s.source_no,
        s.site_id,
        CASE s.source_no WHEN -3 THEN 'unknown' WHEN -2 THEN 'unreachable' ELSE coalesce(b.verdicts, '') END AS verdicts
    FROM sources AS s
    LEFT JOIN bodies_by_verdicts AS b ON b.body_id = s.source_no
),
classes AS (
    SELECT verdicts, min(site_id) AS class_id FROM sources_by_verdicts GROUP BY verdicts
),
sources_by_class AS (
    SELECT s.source_no, c.class_id
    FROM classes AS c
    JOIN sources_by_verdicts AS s ON s.verdicts = c.verdicts
)
SELECT s.site_id, c.class_id
FROM sources_by_class AS c
JOIN sites_by_source AS s ON s.source_no = c.source_no
ORDER BY s.site_id
