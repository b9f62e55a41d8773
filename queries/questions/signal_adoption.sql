-- title: Preferences on AI in robots.txt
-- id: F01
-- question: What share of sites states a preference on the use of its content, and in which record?
-- grain: one row per crawl, stratum and kind of record, and one for any kind
-- reads: strata, stratum_files, records, linked_hosts
-- parameter: denominator = read
-- parameter: another text = '', key: one more record, by its key
-- column: record: the record; any for at least one of them, tdm for tdm-reservation or tdm-policy, another for the key of --another
-- column: sites: sites whose file has such a record
-- caveat: A record counts whatever its value; signal_values counts values, and signal_invalid invalid ones. A licence counts if it is an absolute URL.
-- caveat: Records in pages in place of a robots.txt are not in the numerator, but these sites are in the denominator.
-- caveat: Preferences in comments, HTTP headers or separate files are not counted.
WITH record_kinds AS (
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
    ) AS l (place, record)
    WHERE place < 9 OR $another <> ''
),
body_records AS (
    SELECT
        crawl,
        body_id,
        CASE
            WHEN record IN ('content-signal', 'content-usage', 'llms', 'acap') THEN record
            WHEN key = 'disallowaitraining' THEN key
            WHEN key IN ('tdm-reservation', 'tdm-policy') THEN 'tdm'
        END AS kind
    FROM records
    UNION ALL
    SELECT crawl, body_id, 'license' AS kind FROM linked_hosts WHERE record = 'license' AND scheme IS NOT NULL
    UNION ALL
    -- This may be one of the records above.
    SELECT crawl, body_id, 'another' AS kind FROM records WHERE $another <> '' AND key = lower($another)
),
body_kinds AS (
    SELECT DISTINCT crawl, body_id, kind FROM body_records WHERE kind IS NOT NULL
    UNION
    SELECT DISTINCT crawl, body_id, 'any' AS kind FROM body_records WHERE kind IS NOT NULL
),
sites_by_kind AS (
    SELECT s.crawl, s.stratum, b.kind, sum(s.weight) AS sites
    FROM body_kinds AS b
    JOIN stratum_files AS s ON s.crawl = b.crawl AND s.body_id = b.body_id
    GROUP BY s.crawl, s.stratum, b.kind
)
SELECT
    s.crawl,
    s.stratum,
    k.record,
    coalesce(b.sites, 0) AS sites,
    s.sites_counted,
    CAST(coalesce(b.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share
FROM strata AS s
CROSS JOIN record_kinds AS k
LEFT JOIN sites_by_kind AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.kind = k.record
ORDER BY s.crawl, s.stratum, k.place
