-- title: Agents that sites started or stopped blocking
-- id: H02
-- question: What share of the sites of two crawls blocks an agent in one crawl and not in the other?
-- grain: one row per stratum and agent, the largest change by name either way first, then the largest of all changes
-- reads: panel, site_blocking_classes, class_blocking, agents
-- no crawl: it compares two crawls; choose them with --crawl-from and --crawl-to
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- parameter: counted one of read answered decided = answered, sites: which of the sites in both crawls are counted; read: sites whose file was read in both; answered: also sites without a file (4xx), which allow all; decided: also unreachable sites, which block all
-- column: crawl_from: the first of the two crawls
-- column: crawl_to: the last of the two crawls
-- column: agent: the tracked agent, in lower case; * is every crawler that a file does not name
-- column: sites_counted: sites in both crawls that count (--counted)
-- column: sites_blocked_first: sites that block the agent in crawl_from
-- column: sites_blocked_last: sites that block the agent in crawl_to
-- column: sites_newly_blocked: sites that block the agent in crawl_to and not in crawl_from
-- column: sites_newly_blocked_by_name: how many of sites_newly_blocked name the agent in one of the two crawls or in both
-- column: share_newly_blocked_by_name: sites_newly_blocked_by_name divided by sites_counted
-- column: share_newly_blocked: sites_newly_blocked divided by sites_counted
-- column: sites_no_longer_blocked: sites that block the agent in crawl_from and not in crawl_to
-- column: sites_no_longer_blocked_by_name: how many of sites_no_longer_blocked name the agent in one of the two crawls or in both
-- column: share_no_longer_blocked_by_name: sites_no_longer_blocked_by_name divided by sites_counted
-- column: share_no_longer_blocked: sites_no_longer_blocked divided by sites_counted
-- caveat: Only sites in both crawls are counted. Where a file appeared or disappeared, the verdict may have changed although nobody wrote a rule; --counted can omit these sites.
-- caveat: sites_newly_blocked_by_name and sites_no_longer_blocked_by_name count changes of sites that name the agent in one of the two crawls or in both: a choice about the agent. The other columns also count changes by the wildcard group alone.
WITH counted_outcomes AS (
    SELECT outcome
    FROM (VALUES
        (1, 'rules'),
        (1, 'no_rules'),
        (1, 'not_robots'),
        (2, 'unavailable'),
        (3, 'unreachable')
    ) AS o (least, outcome)
    WHERE least <= CASE $counted WHEN 'read' THEN 1 WHEN 'answered' THEN 2 ELSE 3 END
),
counted_sites AS (
    SELECT crawl_from, crawl_to, stratum, site_from, site_to
    FROM panel
    WHERE outcome_from IN (SELECT outcome FROM counted_outcomes) AND outcome_to IN (SELECT outcome FROM counted_outcomes)
),
panel_totals AS (
    SELECT p.crawl_from, p.crawl_to, p.stratum, count(c.site_from) AS sites_counted
    FROM panel AS p
    LEFT JOIN counted_sites AS c ON c.site_from = p.site_from AND c.stratum = p.stratum
    GROUP BY p.crawl_from, p.crawl_to, p.stratum
),
-- Sites with the same policy class in both crawls are one row.
class_pairs AS (
    SELECT c.crawl_from, c.crawl_to, c.stratum, f.blocking_class_id AS class_from, t.blocking_class_id AS class_to, count(*) AS sites
    FROM counted_sites AS c
    JOIN site_blocking_classes AS f ON f.crawl = c.crawl_from AND f.site_id = c.site_from
    JOIN site_blocking_classes AS t ON t.crawl = c.crawl_to AND t.site_id = c.site_to
    GROUP BY c.crawl_from, c.crawl_to, c.stratum, f.blocking_class_id, t.blocking_class_id
),
-- Verdicts that block, or that come from a group that names the agent.
relevant_verdicts AS (
    SELECT
        crawl,
        blocking_class_id,
        agent,
        CASE WHEN blocked THEN 1 ELSE 0 END AS is_blocked,
        CASE WHEN match_kind = 'explicit' THEN 1 ELSE 0 END AS is_named
    FROM class_blocking
    WHERE blocked OR match_kind = 'explicit'
),
verdicts_before AS (
    SELECT v.stratum, v.class_from, v.class_to, v.sites, b.agent, b.is_blocked, b.is_named
    FROM class_pairs AS v
    JOIN relevant_verdicts AS b ON b.crawl = v.crawl_from AND b.blocking_class_id = v.class_from
),
verdicts_after AS (
    SELECT v.stratum, v.class_from, v.class_to, v.sites, b.agent, b.is_blocked, b.is_named
    FROM class_pairs AS v
    JOIN relevant_verdicts AS b ON b.crawl = v.crawl_to AND b.blocking_class_id = v.class_to
),
verdict_pairs AS (
    SELECT
        coalesce(b.stratum, a.stratum) AS stratum,
        coalesce(b.agent, a.agent) AS agent,
        coalesce(b.sites, a.sites) AS sites,
        coalesce(b.is_blocked, 0) AS was_blocked,
        coalesce(a.is_blocked, 0) AS is_blocked,
        greatest(coalesce(b.is_named, 0), coalesce(a.is_named, 0)) AS is_by_name
    FROM verdicts_before AS b
    FULL JOIN verdicts_after AS a
        ON a.stratum = b.stratum
        AND a.class_from = b.class_from
        AND a.class_to = b.class_to
        AND a.agent = b.agent
),
agent_totals AS (
    SELECT
        stratum,
        agent,
        sum(sites * was_blocked) AS sites_blocked_first,
        sum(sites * is_blocked) AS sites_blocked_last,
        sum(sites * is_blocked * (1 - was_blocked)) AS sites_newly_blocked,
        sum(sites * is_blocked * (1 - was_blocked) * is_by_name) AS sites_newly_blocked_by_name,
        sum(sites * was_blocked * (1 - is_blocked)) AS sites_no_longer_blocked,
        sum(sites * was_blocked * (1 - is_blocked) * is_by_name) AS sites_no_longer_blocked_by_name
    FROM verdict_pairs
    GROUP BY stratum, agent
),
chosen_agents AS (
    SELECT '*' AS agent
    UNION
    SELECT token AS agent FROM agents WHERE tracked AND ('' IN ($tokens) OR token IN ($tokens))
)
SELECT
    p.crawl_from,
    p.crawl_to,
    p.stratum,
    t.agent,
    p.sites_counted,
    coalesce(a.sites_blocked_first, 0) AS sites_blocked_first,
    coalesce(a.sites_blocked_last, 0) AS sites_blocked_last,
    coalesce(a.sites_newly_blocked, 0) AS sites_newly_blocked,
    coalesce(a.sites_newly_blocked_by_name, 0) AS sites_newly_blocked_by_name,
    CAST(coalesce(a.sites_newly_blocked_by_name, 0) AS double) / nullif(p.sites_counted, 0) AS share_newly_blocked_by_name,
    CAST(coalesce(a.sites_newly_blocked, 0) AS double) / nullif(p.sites_counted, 0) AS share_newly_blocked,
    coalesce(a.sites_no_longer_blocked, 0) AS sites_no_longer_blocked,
    coalesce(a.sites_no_longer_blocked_by_name, 0) AS sites_no_longer_blocked_by_name,
    CAST(coalesce(a.sites_no_longer_blocked_by_name, 0) AS double) / nullif(p.sites_counted, 0) AS share_no_longer_blocked_by_name,
    CAST(coalesce(a.sites_no_longer_blocked, 0) AS double) / nullif(p.sites_counted, 0) AS share_no_longer_blocked
FROM panel_totals AS p
CROSS JOIN chosen_agents AS t
LEFT JOIN agent_totals AS a ON a.stratum = p.stratum AND a.agent = t.agent
ORDER BY
    p.crawl_from,
    p.crawl_to,
    p.stratum,
    greatest(coalesce(a.sites_newly_blocked_by_name, 0), coalesce(a.sites_no_longer_blocked_by_name, 0)) DESC,
    greatest(coalesce(a.sites_newly_blocked, 0), coalesce(a.sites_no_longer_blocked, 0)) DESC,
    t.agent
