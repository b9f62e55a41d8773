-- title: Which sites say the same
-- question: Which sites say the same to every tracked agent, as far as any definition of blocking can tell?
-- grain: one row per site
-- reads: sites, policies, agents
-- parameter: crawl crawl = '', name: the crawl that is made
WITH tracked AS (
    SELECT agent, row_number() OVER (ORDER BY agent) AS place
    FROM (SELECT '*' AS agent UNION ALL SELECT DISTINCT lower(token) AS agent FROM agents WHERE tracked) AS listed
),
-- An agent and what it is told, as a number.
told AS (
    SELECT
        p.body_id,
        t.place * 256
            + CASE p.access WHEN 'all' THEN 0 WHEN 'part' THEN 1 ELSE 2 END
            + CASE WHEN p.root_allowed THEN 4 ELSE 0 END
            + CASE WHEN p.has_disallow_root THEN 8 ELSE 0 END
            + CASE WHEN p.is_only_disallow_root THEN 16 ELSE 0 END
            + CASE WHEN p.allow_rules > 0 THEN 32 ELSE 0 END
            + CASE WHEN p.disallow_rules = 0 THEN 0 WHEN p.disallow_rules = 1 THEN 64 ELSE 128 END AS word
    FROM policies AS p
    JOIN tracked AS t ON t.agent = p.token
    WHERE p.crawl = $crawl
),
body AS (
    SELECT body_id, array_to_string(array_sort(array_agg(word)), ' ') AS words FROM told GROUP BY body_id
),
-- Without a body, the outcome says it.
site AS (
    SELECT
        site_id,
        CASE
            WHEN access_without_rules IS NULL THEN -3
            WHEN access_without_rules = 'none' THEN -2
            ELSE coalesce(body_id, -1)
        END AS source
    FROM sites
    WHERE crawl = $crawl
),
source AS (
    SELECT source, min(site_id) AS site_id FROM site GROUP BY source
),
worded AS (
    SELECT
        s.source,
        s.site_id,
        CASE s.source WHEN -3 THEN 'unknown' WHEN -2 THEN 'unreachable' ELSE coalesce(b.words, '') END AS words
    FROM source AS s
    LEFT JOIN body AS b ON b.body_id = s.source
),
stance AS (
    SELECT words, min(site_id) AS stance_id FROM worded GROUP BY words
),
placed AS (
    SELECT w.source, t.stance_id
    FROM worded AS w
    JOIN stance AS t ON t.words = w.words
)
SELECT s.site_id, p.stance_id
FROM placed AS p
JOIN site AS s ON s.source = p.source
ORDER BY s.site_id
