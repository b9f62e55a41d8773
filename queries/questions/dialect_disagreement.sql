-- title: Where the readings of the standard disagree
-- id: C13
-- question: On how many sites may an agent fetch a path by one reading of the standard and not by RFC 9309?
-- grain: one row per crawl and dialect
-- reads: robots_access
-- parameter: agent agent = googlebot, token: who asks
-- parameter: path path = /, path: what is asked for
-- parameter: texts boolean = false, readings: google and original-1996 as well, which find lines in a way of their own and take the text of the files: for tables made with `ingest --keep-text`
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- chart: bars x=dialect y=share_changed
-- caveat: a dialect is RFC 9309, one of its drafts of 2019 (draft-00) and 2022 (draft-12), Google's parser, or the draft of 1996
-- caveat: sites without a known answer by either reading are not counted; what a status means differs between the texts as well
WITH asked AS (
    SELECT 'rfc9309' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'rfc9309')
    UNION ALL
    SELECT 'draft-12' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-12')
    UNION ALL
    SELECT 'draft-00' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'draft-00')
    UNION ALL
    SELECT 'google' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'google') WHERE $texts
    UNION ALL
    SELECT 'original-1996' AS dialect, crawl, site_id, allowed FROM robots_access($agent, $path, 'original-1996') WHERE $texts
),
paired AS (
    SELECT d.dialect, d.crawl, d.allowed, s.allowed AS allowed_by_standard
    FROM asked AS d
    JOIN robots_access($agent, $path, 'rfc9309') AS s ON s.crawl = d.crawl AND s.site_id = d.site_id
    WHERE d.allowed IS NOT NULL AND s.allowed IS NOT NULL AND ($crawl = '' OR d.crawl = $crawl)
)
SELECT
    crawl,
    dialect,
    sum(CASE WHEN allowed THEN 0 ELSE 1 END) AS sites_refusing,
    count(*) AS sites_counted,
    CAST(sum(CASE WHEN allowed THEN 0 ELSE 1 END) AS double) / count(*) AS share,
    sum(CASE WHEN allowed AND NOT allowed_by_standard THEN 1 ELSE 0 END) AS sites_freed,
    sum(CASE WHEN allowed_by_standard AND NOT allowed THEN 1 ELSE 0 END) AS sites_caught,
    CAST(sum(CASE WHEN allowed <> allowed_by_standard THEN 1 ELSE 0 END) AS double) / count(*) AS share_changed
FROM paired
GROUP BY crawl, dialect
ORDER BY crawl, CASE WHEN dialect = 'rfc9309' THEN 0 ELSE 1 END, dialect
