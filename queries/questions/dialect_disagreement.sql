-- title: Dialects that disagree with RFC 9309
-- id: C13
-- question: On how many sites does another dialect allow an agent a path that RFC 9309 disallows, or the other way round?
-- grain: one row per crawl and dialect
-- reads: robots_access
-- parameter: agent agent = googlebot, token: the agent
-- parameter: path path = /, path: the path
-- parameter: texts boolean = false, readings: also compares google and original-1996, which split lines in their own way and need the text of files: tables made with `ingest --keep-text`
-- parameter: crawl = ''
-- caveat: A dialect is RFC 9309, one of its drafts of 2019 (draft-00) and 2022 (draft-12), Google's parser, or the draft of 1996.
-- caveat: Sites without a known verdict in either dialect are not counted. The dialects differ in the meaning of statuses, too.
WITH standard_access AS (
    SELECT crawl, site_id, allowed FROM robots_access($agent, $path, 'rfc9309') WHERE $crawl = '' OR crawl = $crawl
),
dialect_access AS (
    SELECT 'draft-12' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-12')
    UNION ALL
    SELECT 'draft-00' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-00')
    UNION ALL
    SELECT 'google' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'google') WHERE $texts
    UNION ALL
    SELECT 'original-1996' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'original-1996') WHERE $texts
),
-- Sites of each dialect by its verdict and that of RFC 9309.
verdict_pairs AS (
    SELECT d.dialect, s.crawl, d.allowed, s.allowed AS allowed_by_standard, count(*) AS sites
    FROM standard_access AS s
    JOIN dialect_access AS d ON d.crawl = s.crawl AND d.site_id = s.site_id
    GROUP BY d.dialect, s.crawl, d.allowed, s.allowed
),
all_verdict_pairs AS (
    SELECT dialect, crawl, allowed, allowed_by_standard, sites FROM verdict_pairs
    UNION ALL
    -- Each dialect has all sites, so that one of them gives the rows of RFC 9309.
    SELECT 'rfc9309' AS dialect, crawl, allowed_by_standard AS allowed, allowed_by_standard, sites
    FROM verdict_pairs
    WHERE dialect = 'draft-12'
)
SELECT
    crawl,
    dialect,
    sum(CASE WHEN allowed THEN 0 ELSE sites END) AS sites_refusing,
    sum(sites) AS sites_counted,
    CAST(sum(CASE WHEN allowed THEN 0 ELSE sites END) AS double) / sum(sites) AS share,
    sum(CASE WHEN allowed AND NOT allowed_by_standard THEN sites ELSE 0 END) AS sites_freed,
    sum(CASE WHEN allowed_by_standard AND NOT allowed THEN sites ELSE 0 END) AS sites_caught,
    CAST(sum(CASE WHEN allowed <> allowed_by_standard THEN sites ELSE 0 END) AS double) / sum(sites) AS share_changed
FROM all_verdict_pairs
WHERE allowed IS NOT NULL AND allowed_by_standard IS NOT NULL
GROUP BY crawl, dialect
ORDER BY crawl, CASE WHEN dialect = 'rfc9309' THEN 0 ELSE 1 END, dialect
