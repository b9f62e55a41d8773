-- title: Sums of the ledger that are not those of the tables
-- grain: one row per crawl and sum that differs
-- reads: ledger_parts, inputs, skips, captures
WITH parts AS (
    SELECT
        crawl,
        sum(inputs) AS inputs,
        sum(damaged_inputs) AS damaged_inputs,
        sum(failed_inputs) AS failed_inputs,
        sum(bytes) AS bytes,
        sum(good_bytes) AS good_bytes,
        sum(damaged_bytes) AS damaged_bytes,
        sum(records) AS records,
        sum(captures) AS captures,
        sum(skipped) AS skipped,
        sum(body_bytes) AS body_bytes
    FROM ledger_parts
    GROUP BY crawl
),
of_inputs AS (
    SELECT
        crawl,
        count(*) AS inputs,
        sum(CASE WHEN damaged_bytes > 0 THEN 1 ELSE 0 END) AS damaged_inputs,
        sum(CASE WHEN error IS NOT NULL THEN 1 ELSE 0 END) AS failed_inputs,
        sum(bytes) AS bytes,
        sum(good_bytes) AS good_bytes,
        sum(damaged_bytes) AS damaged_bytes,
        sum(records) AS records,
        sum(captures) AS captures
    FROM inputs
    GROUP BY crawl
),
of_skips AS (
    SELECT crawl, sum(occurrences) AS skipped FROM skips WHERE kind = 'skipped' GROUP BY crawl
),
of_captures AS (
    SELECT crawl, count(*) AS captures, sum(body_bytes) AS body_bytes FROM captures GROUP BY crawl
),
crawls AS (
    SELECT crawl FROM parts
    UNION
    SELECT crawl FROM of_inputs
    UNION
    SELECT crawl FROM of_captures
),
differing AS (
    SELECT
        n.crawl,
        t.name,
        CASE t.place
            WHEN 1 THEN p.inputs WHEN 2 THEN p.damaged_inputs WHEN 3 THEN p.failed_inputs WHEN 4 THEN p.bytes
            WHEN 5 THEN p.good_bytes WHEN 6 THEN p.damaged_bytes WHEN 7 THEN p.records WHEN 8 THEN p.captures
            WHEN 9 THEN p.captures WHEN 10 THEN p.skipped ELSE p.body_bytes
        END AS said,
        CASE t.place
            WHEN 1 THEN i.inputs WHEN 2 THEN i.damaged_inputs WHEN 3 THEN i.failed_inputs WHEN 4 THEN i.bytes
            WHEN 5 THEN i.good_bytes WHEN 6 THEN i.damaged_bytes WHEN 7 THEN i.records WHEN 8 THEN i.captures
            WHEN 9 THEN c.captures WHEN 10 THEN s.skipped ELSE c.body_bytes
        END AS found
    FROM crawls AS n
    CROSS JOIN (VALUES
        (1, 'inputs'), (2, 'damaged inputs'), (3, 'failed inputs'), (4, 'bytes'),
        (5, 'good bytes'), (6, 'damaged bytes'), (7, 'records'), (8, 'captures of inputs'),
        (9, 'captures'), (10, 'skipped'), (11, 'bytes of bodies')
    ) AS t (place, name)
    LEFT JOIN parts AS p ON p.crawl = n.crawl
    LEFT JOIN of_inputs AS i ON i.crawl = n.crawl
    LEFT JOIN of_skips AS s ON s.crawl = n.crawl
    LEFT JOIN of_captures AS c ON c.crawl = n.crawl
)
SELECT crawl, name, said, found
FROM differing
WHERE coalesce(said, 0) <> coalesce(found, 0)
ORDER BY crawl, name
