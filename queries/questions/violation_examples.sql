-- title: Examples of violations of the grammar
-- id: C01
-- question: What does each violation of the grammar look like where it first occurs?
-- grain: one row per crawl, tier and code, most sites first
-- reads: contents, violations
-- parameter: top integer = 30, codes: how many codes per crawl, most sites first
-- caveat: The example is the first one in the first file that has one, in the order of body_id. It is the start of the violating text, as the file has it.
WITH body_violations AS (
    -- A violation of a whole file has no line.
    SELECT v.crawl, v.tier, v.code, v.body_id, c.sites, min(coalesce(v.line_no, 0)) AS line_no
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    GROUP BY v.crawl, v.tier, v.code, v.body_id, c.sites
),
code_totals AS (
    SELECT
        crawl,
        tier,
        code,
        min(body_id) AS body_id,
        count(*) AS bodies,
        CAST(sum(sites) AS bigint) AS sites
    FROM body_violations
    GROUP BY crawl, tier, code
),
ranked_codes AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, code, tier) AS bigint) AS place
    FROM code_totals
),
top_codes AS (
    SELECT r.crawl, r.place, r.tier, r.code, r.bodies, r.sites, r.body_id, b.line_no
    FROM ranked_codes AS r
    JOIN body_violations AS b ON b.crawl = r.crawl AND b.tier = r.tier AND b.code = r.code AND b.body_id = r.body_id
    WHERE r.place <= $top
),
-- A line may have the same violation at several places.
first_places AS (
    SELECT t.crawl, t.tier, t.code, min(coalesce(v.byte_offset, 0)) AS byte_offset
    FROM top_codes AS t
    JOIN violations AS v
        ON v.crawl = t.crawl
        AND v.body_id = t.body_id
        AND v.code = t.code
        AND v.tier = t.tier
        AND coalesce(v.line_no, 0) = t.line_no
    GROUP BY t.crawl, t.tier, t.code
)
SELECT
    t.crawl,
    t.place,
    t.tier,
    t.code,
    t.sites,
    t.bodies,
    nullif(t.line_no, 0) AS line_no,
    min(v.excerpt) AS example
FROM top_codes AS t
JOIN first_places AS f ON f.crawl = t.crawl AND f.tier = t.tier AND f.code = t.code
JOIN violations AS v
    ON v.crawl = t.crawl
    AND v.body_id = t.body_id
    AND v.code = t.code
    AND v.tier = t.tier
    AND coalesce(v.line_no, 0) = t.line_no
    AND coalesce(v.byte_offset, 0) = f.byte_offset
GROUP BY t.crawl, t.place, t.tier, t.code, t.sites, t.bodies, t.line_no
ORDER BY t.crawl, t.place
