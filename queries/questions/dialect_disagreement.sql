-- title: Dialects that disagree with RFC 9309
-- id: C13
-- question: On how many sites does another dialect allow an agent a path that RFC 9309 disallows, or the other way round?
-- grain: one row per crawl, stratum, agent and dialect: the agent, and * for all crawlers that a file does not name
-- reads: robots_access, population
-- parameter: denominator = all
-- parameter: agent agent = googlebot, token: the agent to compare with *
-- parameter: path path = /, path: the path
-- parameter: texts boolean = false, readings: also compares google and original-1996, which split lines in their own way and need the text of files: tables made with `ingest --keep-text`
-- parameter: crawl = ''
-- caveat: A dialect is RFC 9309, one of its drafts of 2019 (draft-00) and 2022 (draft-12), Google's parser, or the draft of 1996.
-- caveat: Sites without a known verdict in either dialect are not counted. The dialects differ in the meaning of statuses, too.
WITH standard_access AS (
    SELECT $agent AS agent, crawl, site_id, allowed FROM robots_access($agent, $path, 'rfc9309')
    WHERE $agent <> '*' AND ($crawl = '' OR crawl = $crawl)
    UNION ALL
    SELECT '*' AS agent, crawl, site_id, allowed FROM robots_access('*', $path, 'rfc9309')
    WHERE $crawl = '' OR crawl = $crawl
),
dialect_access AS (
    SELECT 'draft-12' AS dialect, $agent AS agent, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-12') WHERE $agent <> '*'
    UNION ALL
    SELECT 'draft-12' AS dialect, '*' AS agent, crawl, site_id, allowed FROM robots_access('*', $path, 'draft-12')
    UNION ALL
    SELECT 'draft-00' AS dialect, $agent AS agent, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-00') WHERE $agent <> '*'
    UNION ALL
    SELECT 'draft-00' AS dialect, '*' AS agent, crawl, site_id, allowed FROM robots_access('*', $path, 'draft-00')
    UNION ALL
    SELECT 'google' AS dialect, $agent AS agent, crawl, site_id, allowed FROM robots_access($agent, $path, 'google') WHERE $texts AND $agent <> '*'
    UNION ALL
    SELECT 'google' AS dialect, '*' AS agent, crawl, site_id, allowed FROM robots_access('*', $path, 'google') WHERE $texts
    UNION ALL
    SELECT 'original-1996' AS dialect, $agent AS agent, crawl, site_id, allowed FROM robots_access($agent, $path, 'original-1996') WHERE $texts AND $agent <> '*'
    UNION ALL
    SELECT 'original-1996' AS dialect, '*' AS agent, crawl, site_id, allowed FROM robots_access('*', $path, 'original-1996') WHERE $texts
),
-- Sites of each dialect by its verdict and that of RFC 9309.
verdict_pairs AS (
    SELECT s.agent, d.dialect, s.crawl, p.stratum, d.allowed, s.allowed AS allowed_by_standard, sum(p.weight) AS sites
    FROM standard_access AS s
    JOIN dialect_access AS d ON d.crawl = s.crawl AND d.agent = s.agent AND d.site_id = s.site_id
    JOIN population AS p ON p.crawl = s.crawl AND p.site_id = s.site_id
    WHERE d.allowed IS NOT NULL AND s.allowed IS NOT NULL
    GROUP BY s.agent, d.dialect, s.crawl, p.stratum, d.allowed, s.allowed
),
dialect_totals AS (
    SELECT
        crawl,
        stratum,
        agent,
        dialect,
        sum(CASE WHEN allowed_by_standard THEN 0 ELSE sites END) AS sites_blocked_by_rfc9309,
        sum(CASE WHEN allowed THEN 0 ELSE sites END) AS sites_blocked,
        sum(CASE WHEN allowed AND NOT allowed_by_standard THEN sites ELSE 0 END) AS sites_only_allowed_here,
        sum(CASE WHEN allowed_by_standard AND NOT allowed THEN sites ELSE 0 END) AS sites_only_blocked_here,
        sum(sites) AS sites_counted
    FROM verdict_pairs
    GROUP BY crawl, stratum, agent, dialect
)
SELECT
    crawl,
    stratum,
    agent,
    dialect,
    sites_blocked_by_rfc9309,
    sites_blocked,
    sites_only_allowed_here,
    sites_only_blocked_here,
    sites_counted,
    CAST(sites_blocked AS double) / sites_counted AS share_blocked,
    CAST(sites_only_allowed_here AS double) / sites_counted AS share_only_allowed_here,
    CAST(sites_only_blocked_here AS double) / sites_counted AS share_only_blocked_here
FROM dialect_totals
ORDER BY crawl, stratum, CASE WHEN agent = '*' THEN 1 ELSE 0 END, agent, dialect
