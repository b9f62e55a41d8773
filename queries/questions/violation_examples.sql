-- title: Examples of violations of the grammar
-- id: C01
-- question: What does each violation of the grammar look like where it first occurs?
-- grain: one row per crawl, stratum, tier and code, most sites first
-- reads: stratum_contents, bodies, violations, population, groups, rules, records
-- parameter: denominator = read
-- parameter: tiers some of A B C = A,B,C, tiers: which tiers; B are records that the standard permits
-- parameter: top count = 30, codes: how many codes per crawl and stratum, those with the most sites first
-- column: tier: A (the grammar does not allow it), B (another record), C (a remark)
-- column: code: the name of the violation, from docs/violations.md
-- column: sites: sites whose file has the violation
-- column: host: alphabetically first host of the stratum that has the file of the example
-- column: line_no: number of the line in this file, from 1; null for a violation of the whole file
-- column: example: start of the text that violates the grammar, as written; an empty text if there is nothing to show
-- column: line: the line of the example; null for a violation of the whole file, and if it is not known
-- column: line_is: whether line is as in the file (written) or made from the tables (rebuilt); null without a line
-- caveat: example is the start of the first violating text, as written, in the first file that has the violation, in the order of body_id.
-- caveat: line is the line of the example. line_is says whether it is as in the file. written: the tables have the text of the file (ingest --keep-text) and it has at most 512,000 bytes, or a line that cannot be parsed is its example, which has at most 120 characters. rebuilt: the line is made from its key, its value and the example. It shows the violation, but may differ from the file in blanks, in the case of its key, and in a comment. A longer line is cut after 2,000 characters.
-- caveat: line is empty for a violation of the whole file, and for a character in a line without a key. A missing end of the last line cannot be seen in it. Of two lines that conflict, or are in a wrong order, it is the second. host is the alphabetically first host of the stratum that has the body of the example.
WITH body_violations AS (
    SELECT v.crawl, c.stratum, v.tier, v.code, v.body_id, c.weight AS sites
    FROM stratum_contents AS c
    JOIN violations AS v ON v.crawl = c.crawl AND v.body_id = c.body_id
    WHERE v.tier IN ($tiers)
    GROUP BY v.crawl, c.stratum, v.tier, v.code, v.body_id, c.weight
),
code_totals AS (
    SELECT
        crawl,
        stratum,
        tier,
        code,
        min(body_id) AS body_id,
        count(*) AS bodies,
        sum(sites) AS sites
    FROM body_violations
    GROUP BY crawl, stratum, tier, code
),
ranked_codes AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, code, tier) AS bigint) AS place
    FROM code_totals
),
shown_codes AS (
    SELECT * FROM ranked_codes WHERE place <= $top
),
-- The first line with the violation. A violation of a whole file has none.
first_lines AS (
    SELECT c.crawl, c.stratum, c.place, min(coalesce(v.line_no, 0)) AS line_no
    FROM shown_codes AS c
    JOIN violations AS v ON v.crawl = c.crawl AND v.body_id = c.body_id AND v.tier = c.tier AND v.code = c.code
    GROUP BY c.crawl, c.stratum, c.place
),
top_codes AS (
    SELECT c.*, l.line_no
    FROM shown_codes AS c
    JOIN first_lines AS l ON l.crawl = c.crawl AND l.stratum = c.stratum AND l.place = c.place
),
-- A line may have the same violation in several places.
first_places AS (
    SELECT t.crawl, t.stratum, t.tier, t.code, min(coalesce(v.byte_offset, 0)) AS byte_offset
    FROM top_codes AS t
    JOIN violations AS v
        ON v.crawl = t.crawl
        AND v.body_id = t.body_id
        AND v.code = t.code
        AND v.tier = t.tier
        AND coalesce(v.line_no, 0) = t.line_no
    GROUP BY t.crawl, t.stratum, t.tier, t.code
),
examples AS (
    SELECT t.crawl, t.stratum, t.place, min(v.excerpt) AS example
    FROM top_codes AS t
    JOIN first_places AS f ON f.crawl = t.crawl AND f.stratum = t.stratum AND f.tier = t.tier AND f.code = t.code
    JOIN violations AS v
        ON v.crawl = t.crawl
        AND v.body_id = t.body_id
        AND v.code = t.code
        AND v.tier = t.tier
        AND coalesce(v.line_no, 0) = t.line_no
        AND coalesce(v.byte_offset, 0) = f.byte_offset
    GROUP BY t.crawl, t.stratum, t.place
),
-- A line is a user-agent line, a rule, another record or none of them.
parsed_lines AS (
    SELECT t.crawl, t.stratum, t.place, 'User-agent' AS key, g.agent AS value
    FROM top_codes AS t
    JOIN groups AS g ON g.crawl = t.crawl AND g.body_id = t.body_id AND g.line_no = t.line_no
    UNION ALL
    SELECT t.crawl, t.stratum, t.place, CASE WHEN r.allow THEN 'Allow' ELSE 'Disallow' END AS key, r.pattern AS value
    FROM top_codes AS t
    JOIN rules AS r ON r.crawl = t.crawl AND r.body_id = t.body_id AND r.line_no = t.line_no
    UNION ALL
    SELECT t.crawl, t.stratum, t.place, c.key, c.value
    FROM top_codes AS t
    JOIN records AS c ON c.crawl = t.crawl AND c.body_id = t.body_id AND c.line_no = t.line_no
),
-- What the example is, depends on the code: the key, a mark before it, the comment, the whole line or a part of the value.
rebuilt_lines AS (
    SELECT
        e.crawl,
        e.stratum,
        e.place,
        CASE
            WHEN t.tier = 'B' OR t.code IN ('key-misspelt', 'key-bad-whitespace', 'record-key-misspelt')
                THEN e.example || ': ' || p.value
            WHEN t.code = 'bom-utf8' THEN e.example || p.key || ': ' || p.value
            WHEN t.code = 'path-cut-by-hash' THEN p.key || ': ' || p.value || e.example
            WHEN t.code IN ('comment-invalid-utf8', 'comment-control-char') THEN p.key || ': ' || p.value || ' ' || e.example
            WHEN t.code <> 'colon-missing' THEN p.key || ': ' || p.value
        END AS line,
        -- A line that was not understood, or without its colon, is the example. Of a line that is only a comment, some
        -- codes have only a character.
        CASE
            WHEN p.value IS NULL AND t.code IN ('bom-utf8', 'nul-byte', 'comment-control-char') THEN NULL
            WHEN p.value IS NULL OR t.code = 'colon-missing' THEN nullif(e.example, '')
        END AS example_line
    FROM examples AS e
    JOIN top_codes AS t ON t.crawl = e.crawl AND t.stratum = e.stratum AND t.place = e.place
    LEFT JOIN parsed_lines AS p ON p.crawl = e.crawl AND p.stratum = e.stratum AND p.place = e.place
),
-- A long file would be in memory once for each of its lines.
chosen_lines AS (
    SELECT DISTINCT crawl, body_id, line_no FROM top_codes WHERE line_no > 0
),
-- A line ends with CR, LF or both.
written_lines AS (
    SELECT
        c.crawl,
        c.body_id,
        c.line_no,
        substr(split_part(replace(replace(b.text, chr(13) || chr(10), chr(10)), chr(13), chr(10)), chr(10), c.line_no), 1, 2000) AS line
    FROM chosen_lines AS c
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    WHERE b.text IS NOT NULL AND NOT b.exceeds_500_kib
),
-- Each part of the tables that has the file has a body of its own for it.
hosts AS (
    SELECT t.crawl, t.stratum, t.place, min(s.url_host_name) AS host
    FROM top_codes AS t
    JOIN bodies AS b ON b.crawl = t.crawl AND b.body_id = t.body_id
    JOIN bodies AS o ON o.crawl = b.crawl AND o.content_digest = b.content_digest
    JOIN population AS s ON s.crawl = t.crawl AND s.stratum = t.stratum AND s.body_id = o.body_id
    GROUP BY t.crawl, t.stratum, t.place
)
SELECT
    t.crawl,
    t.stratum,
    t.place,
    t.tier,
    t.code,
    t.sites,
    t.bodies,
    h.host,
    nullif(t.line_no, 0) AS line_no,
    e.example,
    coalesce(w.line, l.example_line, substr(l.line, 1, 2000)) AS line,
    CASE
        WHEN coalesce(w.line, l.example_line) IS NOT NULL THEN 'written'
        WHEN l.line IS NOT NULL THEN 'rebuilt'
    END AS line_is
FROM top_codes AS t
JOIN examples AS e ON e.crawl = t.crawl AND e.stratum = t.stratum AND e.place = t.place
JOIN rebuilt_lines AS l ON l.crawl = t.crawl AND l.stratum = t.stratum AND l.place = t.place
LEFT JOIN written_lines AS w ON w.crawl = t.crawl AND w.body_id = t.body_id AND w.line_no = t.line_no
LEFT JOIN hosts AS h ON h.crawl = t.crawl AND h.stratum = t.stratum AND h.place = t.place
ORDER BY t.crawl, t.stratum, t.place
