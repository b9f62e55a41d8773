-- title: Skipped records, damaged bytes and remarks
-- id: A11
-- question: Which records and byte ranges became no capture, which captures have remarks, and why?
-- grain: one row per crawl, kind and reason
-- reads: skips
-- no strata: it counts records and bytes, and only sites are in strata
-- parameter: crawl = ''
-- caveat: skipped counts records that are not captures. damaged counts byte ranges that hold no record. remark counts odd facts about what was read; a record may have several. docs/reasons.md explains each reason.
WITH skip_totals AS (
    SELECT crawl, kind, reason, CAST(sum(occurrences) AS bigint) AS occurrences, count(*) AS archives
    FROM skips
    WHERE $crawl = '' OR crawl = $crawl
    GROUP BY crawl, kind, reason
)
SELECT crawl, kind, reason, occurrences, archives
FROM skip_totals
ORDER BY crawl, kind, occurrences DESC, reason
