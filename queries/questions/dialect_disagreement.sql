-- title: Where the readings of the standard disagree
-- id: C13
-- question: On how many sites may an agent fetch a path by one reading of the standard and not by RFC 9309?
-- grain: one row per crawl and dialect
-- reads: robots_access
-- parameter: agent agent = googlebot, token: who asks
-- parameter: path path = /, path: what is asked for
-- parameter: texts boolean = false, readings: google and original-1996 as well, which find lines in a way of their own and take the text of the files: for tables made with `ingest --keep-text`
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: a dialect is RFC 9309, one of its drafts of 2019 (draft-00) and 2022 (draft-12), Google's parser, or the draft of 1996
-- caveat: sites without a known answer by either reading are not counted; what a status means differs between the texts as well
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
-- Of each dialect how many sites may be fetched by it and by the standard.
verdict_pairs AS (
    SELECT d.dialect, s.crawl, d.allowed, s.allowed AS allowed_by_standard, count(*) AS sites
    FROM standard_access AS s
    JOIN dialect_access AS d ON d.crawl = s.crawl AND d.site_id = s.site_id
    GROUP BY d.dialect, s.crawl, d.allowed, s.allowed
),
all_verdict_pairs AS (
    SELECT dialect, crawl, allowed, allowed_by_standard, sites FROM verdict_pairs
    UNION ALL
    -- All sites stand beside each dialect.
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
