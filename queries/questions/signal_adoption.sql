-- title: Preferences on AI in robots.txt
-- id: F01
-- question: What share of sites states a preference on the use of its content, and in which record?
-- grain: one row per crawl, stratum and kind of record, and one for any kind
-- reads: strata, stratum_files, records
-- parameter: denominator = read
-- parameter: another text = '', key: one more record, by its key in lower case
-- caveat: A record counts whatever its value; F02 counts values, and F04 invalid ones. A licence counts if it has a URL.
-- caveat: Records in pages in place of a robots.txt are not in the numerator, but these sites are in the denominator.
-- caveat: Preferences in comments, HTTP headers or separate files are not counted.
WITH signal_kinds AS (
    SELECT *
    FROM (VALUES
        (1, 'any'),
        (2, 'content-signal'),
        (3, 'content-usage'),
        (4, 'license'),
        (5, 'llms'),
        (6, 'acap'),
        (7, 'tdm'),
        (8, 'disallowaitraining'),
        (9, 'another')
    ) AS l (place, signal)
    WHERE place < 9 OR $another <> ''
),
body_records AS (
    SELECT
        crawl,
        body_id,
        CASE
            WHEN record IN ('content-signal', 'content-usage', 'llms', 'acap') THEN record
            WHEN key = 'disallowaitraining' THEN key
            WHEN record = 'license' AND strpos(value, '://') > 0 THEN 'license'
            WHEN key IN ('tdm-reservation', 'tdm-policy') THEN 'tdm'
            WHEN key = $another THEN 'another'
        END AS signal
    FROM records
),
body_signals AS (
    SELECT DISTINCT crawl, body_id, signal FROM body_records WHERE signal IS NOT NULL
    UNION
    SELECT DISTINCT crawl, body_id, 'any' AS signal FROM body_records WHERE signal IS NOT NULL
),
sites_by_signal AS (
    SELECT s.crawl, s.stratum, b.signal, sum(s.weight) AS sites
    FROM body_signals AS b
    JOIN stratum_files AS s ON s.crawl = b.crawl AND s.body_id = b.body_id
    GROUP BY s.crawl, s.stratum, b.signal
)
SELECT
    s.crawl,
    s.stratum,
    k.signal,
    coalesce(b.sites, 0) AS sites,
    s.sites_counted,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share
FROM strata AS s
CROSS JOIN signal_kinds AS k
LEFT JOIN sites_by_signal AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.signal = k.signal
ORDER BY s.crawl, s.stratum, k.place
