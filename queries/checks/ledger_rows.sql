-- title: Tables whose rows are not as many as the ledger says
-- grain: one row per crawl and table
-- reads: ledger_files, captures, bodies, groups, rules, records, violations, policies, skips, inputs
WITH found AS (
    SELECT crawl, 'captures' AS table_name, count(*) AS rows_found FROM captures GROUP BY crawl
    UNION ALL
    SELECT crawl, 'bodies' AS table_name, count(*) AS rows_found FROM bodies GROUP BY crawl
    UNION ALL
    SELECT crawl, 'groups' AS table_name, count(*) AS rows_found FROM groups GROUP BY crawl
    UNION ALL
    SELECT crawl, 'rules' AS table_name, count(*) AS rows_found FROM rules GROUP BY crawl
    UNION ALL
    SELECT crawl, 'records' AS table_name, count(*) AS rows_found FROM records GROUP BY crawl
    UNION ALL
    SELECT crawl, 'violations' AS table_name, count(*) AS rows_found FROM violations GROUP BY crawl
    UNION ALL
    SELECT crawl, 'policies' AS table_name, count(*) AS rows_found FROM policies GROUP BY crawl
    UNION ALL
    SELECT crawl, 'skips' AS table_name, count(*) AS rows_found FROM skips GROUP BY crawl
    UNION ALL
    SELECT crawl, 'inputs' AS table_name, count(*) AS rows_found FROM inputs GROUP BY crawl
),
said AS (
    SELECT crawl, table_name, sum(rows) AS rows_said
    FROM ledger_files
    GROUP BY crawl, table_name
),
compared AS (
    SELECT
        coalesce(s.crawl, f.crawl) AS crawl,
        coalesce(s.table_name, f.table_name) AS table_name,
        coalesce(s.rows_said, 0) AS rows_said,
        coalesce(f.rows_found, 0) AS rows_found
    FROM said AS s
    FULL JOIN found AS f ON f.crawl = s.crawl AND f.table_name = s.table_name
)
SELECT crawl, table_name, rows_said, rows_found
FROM compared
WHERE rows_said <> rows_found
ORDER BY crawl, table_name
