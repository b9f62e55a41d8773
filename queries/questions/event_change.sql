-- title: Before and after an event
-- id: H06
-- question: Which shares changed between the last crawl before an event and the first crawl after it, among the sites in both?
-- grain: one row per stratum and fact of a site: the file, names, blocks, signals
-- reads: events, crawls, sites, site_strata, class_verdicts, site_blocking_classes, class_blocking, agents, preferences
-- no crawl: it compares the crawls before and after an event
-- parameter: event one of rfc-9309 gptbot google-extended cloudflare-block content-signals content-use cloudflare-defaults = gptbot, event: which event, as in the view events
-- parameter: tokens = 'GPTBot, CCBot, Google-Extended, ClaudeBot': the agents with a fact of their own
-- parameter: min_sites = 1: omits strata with fewer counted sites
-- column: event: the event (--event)
-- column: event_day: the day of the event, as in the view events
-- column: crawl_before: the last crawl that ended before this day
-- column: crawl_after: the first crawl that started on this day or later
-- column: days_between: days from the last day of crawl_before to the first day of crawl_after
-- column: fact: a fact about a site, such as has a file, names gptbot, or blocks gptbot by name
-- column: fact_kind: file, name, block by name, block by name or wildcard, block of all others, signal
-- column: sites_before: sites where the fact is true in crawl_before
-- column: sites_after: sites where the fact is true in crawl_after
-- column: sites_started: sites where the fact is true only in crawl_after
-- column: sites_stopped: sites where the fact is true only in crawl_before
-- column: sites_counted: sites that answered in both crawls: their file was read, or they have no file (4xx)
-- column: share_before: sites_before divided by sites_counted
-- column: share_after: sites_after divided by sites_counted
-- column: change: share_after minus share_before
-- caveat: The stratum of a site is its stratum in the crawl after the event.
-- caveat: Only sites that answered in both crawls are counted: their file was read, or they have no file (4xx).
-- caveat: The crawl before ended before the day of the event; the crawl after started on that day or later. Days with less than 1 % of the captures of the day with the most do not count. Without such crawls the answer is empty. The crawls may be years apart: see days_between.
-- caveat: A change after an event need not be caused by it. The days of RFC 9309, GPTBot and other names are days of publication.
-- caveat: AI agents are the agents that agents.csv lists as AI, if they are tracked or in tokens.
-- caveat: A site names an agent if a user-agent line does. Blocks by the wildcard group count, except where a fact says by name. So a site may block an agent before the agent exists.
-- caveat: A page in place of a robots.txt is not a file, and its signals do not count. If it has rules, they count.
-- caveat: sites_started have the fact only in the crawl after, sites_stopped only in the crawl before. Cloudflare's block and its defaults changed a firewall, which no robots.txt shows.
WITH chosen_event AS (
    SELECT event, event_day FROM events WHERE event = $event
),
ranked_before AS (
    SELECT e.event, e.event_day, c.crawl, c.last_day, row_number() OVER (ORDER BY c.last_day DESC, c.crawl_no DESC) AS place
    FROM chosen_event AS e
    JOIN crawls AS c ON c.last_day < e.event_day
),
ranked_after AS (
    SELECT c.crawl, c.first_day, row_number() OVER (ORDER BY c.crawl_no) AS place
    FROM chosen_event AS e
    JOIN crawls AS c ON c.first_day >= e.event_day
),
crawl_pair AS (
    SELECT
        b.event,
        b.event_day,
        b.crawl AS crawl_before,
        a.crawl AS crawl_after,
        CAST((date_part('epoch', a.first_day) - date_part('epoch', b.last_day)) / 86400 AS bigint) AS days_between
    FROM ranked_before AS b
    JOIN ranked_after AS a ON a.place = b.place
    WHERE b.place = 1
),
sites_of_both AS (
    SELECT p.crawl_before, p.crawl_after, b.site_id AS site_before, a.site_id AS site_after
    FROM crawl_pair AS p
    JOIN sites AS b ON b.crawl = p.crawl_before
    JOIN sites AS a
        ON a.crawl = p.crawl_after
        AND a.url_host_name = b.url_host_name
        AND a.url_protocol = b.url_protocol
        AND a.url_port = b.url_port
    WHERE b.outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable')
        AND a.outcome IN ('rules', 'no_rules', 'not_robots', 'unavailable')
),
stratified_sites AS (
    SELECT b.site_before, b.site_after, 'all' AS stratum FROM sites_of_both AS b WHERE 'none' IN ($by)
    UNION ALL
    SELECT b.site_before, b.site_after, s.stratum
    FROM sites_of_both AS b
    JOIN site_strata AS s ON s.crawl = b.crawl_after AND s.site_id = b.site_after
    WHERE 'none' NOT IN ($by) AND s.stratum IS NOT NULL
),
chosen_crawls AS (
    SELECT crawl_before AS crawl FROM crawl_pair
    UNION ALL
    SELECT crawl_after AS crawl FROM crawl_pair
),
ai_agents AS (
    SELECT token AS agent FROM agents WHERE is_ai AND tracked
),
naming_facts AS (
    SELECT DISTINCT crawl, class_id, 'names an AI agent' AS fact
    FROM class_verdicts
    WHERE match_kind = 'explicit' AND agent IN (SELECT agent FROM ai_agents)
    UNION ALL
    SELECT crawl, class_id, 'names ' || agent AS fact
    FROM class_verdicts
    WHERE match_kind = 'explicit' AND agent IN ($tokens)
),
blocking_facts AS (
    SELECT DISTINCT crawl, blocking_class_id, 'blocks an AI agent by name' AS fact
    FROM class_blocking
    WHERE blocked AND match_kind = 'explicit' AND agent IN (SELECT agent FROM ai_agents)
    UNION ALL
    SELECT DISTINCT crawl, blocking_class_id, 'blocks all others' AS fact
    FROM class_blocking
    WHERE blocked AND agent = '*'
    UNION ALL
    SELECT crawl, blocking_class_id, 'blocks ' || agent AS fact
    FROM class_blocking
    WHERE blocked AND agent IN ($tokens)
    UNION ALL
    SELECT crawl, blocking_class_id, 'blocks ' || agent || ' by name' AS fact
    FROM class_blocking
    WHERE blocked AND match_kind = 'explicit' AND agent IN ($tokens)
),
signal_bodies AS (
    SELECT DISTINCT crawl, body_id, 'has Content-Signal or Content-Usage' AS fact FROM preferences
    UNION ALL
    SELECT DISTINCT crawl, body_id, 'has use in Content-Signal' AS fact
    FROM preferences
    WHERE signal = 'content-signal' AND label = 'use'
),
site_facts AS (
    SELECT c.crawl, c.site_id, f.fact
    FROM sites AS c
    JOIN naming_facts AS f ON f.crawl = c.crawl AND f.class_id = c.class_id
    WHERE c.crawl IN (SELECT crawl FROM chosen_crawls)
    UNION ALL
    SELECT v.crawl, v.site_id, f.fact
    FROM site_blocking_classes AS v
    JOIN blocking_facts AS f ON f.crawl = v.crawl AND f.blocking_class_id = v.blocking_class_id
    WHERE v.crawl IN (SELECT crawl FROM chosen_crawls)
    UNION ALL
    SELECT s.crawl, s.site_id, b.fact
    FROM sites AS s
    JOIN signal_bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    WHERE s.outcome IN ('rules', 'no_rules') AND s.crawl IN (SELECT crawl FROM chosen_crawls)
    UNION ALL
    SELECT crawl, site_id, 'has a file' AS fact
    FROM sites
    WHERE outcome IN ('rules', 'no_rules') AND crawl IN (SELECT crawl FROM chosen_crawls)
),
facts AS (
    SELECT place, fact, fact_kind FROM (VALUES
        (1, 'has a file', 'file'),
        (2, 'names an AI agent', 'name'),
        (4, 'blocks an AI agent by name', 'block by name'),
        (7, 'blocks all others', 'block of all others'),
        (8, 'has Content-Signal or Content-Usage', 'signal'),
        (9, 'has use in Content-Signal', 'signal')
    ) AS f (place, fact, fact_kind)
    UNION ALL
    SELECT 3 AS place, 'names ' || token AS fact, 'name' AS fact_kind
    FROM agents
    WHERE tracked AND token IN ($tokens)
    UNION ALL
    SELECT 5 AS place, 'blocks ' || token || ' by name' AS fact, 'block by name' AS fact_kind
    FROM agents
    WHERE tracked AND token IN ($tokens)
    UNION ALL
    SELECT 6 AS place, 'blocks ' || token AS fact, 'block by name or wildcard' AS fact_kind
    FROM agents
    WHERE tracked AND token IN ($tokens)
),
before_facts AS (
    SELECT b.stratum, f.fact, b.site_before
    FROM crawl_pair AS p
    CROSS JOIN stratified_sites AS b
    JOIN site_facts AS f ON f.crawl = p.crawl_before AND f.site_id = b.site_before
),
after_facts AS (
    SELECT b.stratum, f.fact, b.site_before
    FROM crawl_pair AS p
    CROSS JOIN stratified_sites AS b
    JOIN site_facts AS f ON f.crawl = p.crawl_after AND f.site_id = b.site_after
),
fact_totals AS (
    SELECT
        coalesce(b.stratum, a.stratum) AS stratum,
        coalesce(b.fact, a.fact) AS fact,
        count(b.site_before) AS sites_before,
        count(a.site_before) AS sites_after,
        sum(CASE WHEN b.site_before IS NULL THEN 1 ELSE 0 END) AS sites_started,
        sum(CASE WHEN a.site_before IS NULL THEN 1 ELSE 0 END) AS sites_stopped
    FROM before_facts AS b
    FULL JOIN after_facts AS a ON a.stratum = b.stratum AND a.fact = b.fact AND a.site_before = b.site_before
    GROUP BY coalesce(b.stratum, a.stratum), coalesce(b.fact, a.fact)
),
site_totals AS (
    SELECT stratum, count(*) AS sites_counted FROM stratified_sites GROUP BY stratum HAVING count(*) >= $min_sites
)
SELECT
    p.event,
    CAST(p.event_day AS varchar) AS event_day,
    p.crawl_before,
    p.crawl_after,
    p.days_between,
    t.stratum,
    l.fact,
    l.fact_kind,
    coalesce(f.sites_before, 0) AS sites_before,
    coalesce(f.sites_after, 0) AS sites_after,
    coalesce(f.sites_started, 0) AS sites_started,
    coalesce(f.sites_stopped, 0) AS sites_stopped,
    t.sites_counted,
    CAST(coalesce(f.sites_before, 0) AS double) / nullif(t.sites_counted, 0) AS share_before,
    CAST(coalesce(f.sites_after, 0) AS double) / nullif(t.sites_counted, 0) AS share_after,
    CAST(coalesce(f.sites_after, 0) - coalesce(f.sites_before, 0) AS double) / nullif(t.sites_counted, 0) AS change
FROM crawl_pair AS p
CROSS JOIN site_totals AS t
CROSS JOIN facts AS l
LEFT JOIN fact_totals AS f ON f.stratum = t.stratum AND f.fact = l.fact
ORDER BY t.stratum, l.place, l.fact
