-- title: What was skipped, damaged or odd
-- id: A11
-- question: Which records and stretches of bytes became no capture, which captures are odd, and why?
-- grain: one row per crawl, kind and reason that occurred
-- reads: skips
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: skipped counts records that are no captures, damaged stretches of bytes that hold no record, and remark what was read with something odd about it; a record may have several remarks. docs/reasons.md tells each reason.
WITH skip_totals AS (
    SELECT crawl, kind, reason, CAST(sum(occurrences) AS bigint) AS occurrences, count(*) AS archives
    FROM skips
    WHERE $crawl = '' OR crawl = $crawl
    GROUP BY crawl, kind, reason
)
SELECT crawl, kind, reason, occurrences, archives
FROM skip_totals
ORDER BY crawl, kind, occurrences DESC, reason
