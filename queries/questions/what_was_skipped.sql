-- title: Skipped records, damaged bytes and remarks
-- id: A11
-- question: Which records and byte ranges are not captures, which captures have remarks, and why?
-- grain: one row per crawl, kind and reason
-- reads: skips
-- no strata: it counts records and bytes, and only sites are in strata
-- parameter: crawl = ''
-- column: kind: what is counted: skipped (records), damaged (byte ranges), remark (records with a remark)
-- column: reason: the name of the reason, from docs/reasons.md
-- column: occurrences: records or byte ranges with this reason
-- column: archives: archives in which the reason occurs
-- caveat: The kind skipped counts records that are not captures. damaged counts byte ranges without a readable record. remark counts unusual facts about records that were read; a record may have several. docs/reasons.md explains each reason.
WITH skip_totals AS (
    SELECT crawl, kind, reason, CAST(sum(occurrences) AS bigint) AS occurrences, count(*) AS archives
    FROM skips
    WHERE $crawl = '' OR crawl = $crawl
    GROUP BY crawl, kind, reason
)
SELECT crawl, kind, reason, occurrences, archives
FROM skip_totals
ORDER BY crawl, CASE kind WHEN 'skipped' THEN 0 WHEN 'damaged' THEN 1 ELSE 2 END, occurrences DESC, reason
