-- title: Departures from the grammar, each with an example
-- id: C01
-- question: What does each departure from the grammar look like where it first occurs?
-- grain: one row per crawl, tier and code, those of most sites first
-- reads: contents, violations
-- parameter: top integer = 30, codes: how many of each crawl, those of the most sites first
-- caveat: The example is of the first file that has one, as files are numbered, and the first in it. It is the beginning of what the departure is about, as the file has it.
WITH found AS (
    -- What a whole file departs in has no line.
    SELECT v.crawl, v.tier, v.code, v.body_id, c.sites, min(coalesce(v.line_no, 0)) AS line_no
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    GROUP BY v.crawl, v.tier, v.code, v.body_id, c.sites
),
summed AS (
    SELECT
        crawl,
        tier,
        code,
        min(body_id) AS body_id,
        count(*) AS bodies,
        CAST(sum(sites) AS bigint) AS sites
    FROM found
    GROUP BY crawl, tier, code
),
placed AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY sites DESC, code, tier) AS bigint) AS place
    FROM summed
),
shown AS (
    SELECT p.crawl, p.place, p.tier, p.code, p.bodies, p.sites, p.body_id, f.line_no
    FROM placed AS p
    JOIN found AS f ON f.crawl = p.crawl AND f.tier = p.tier AND f.code = p.code AND f.body_id = p.body_id
    WHERE p.place <= $top
),
-- A line may depart in one way at several places.
first AS (
    SELECT s.crawl, s.tier, s.code, min(coalesce(v.byte_offset, 0)) AS byte_offset
    FROM shown AS s
    JOIN violations AS v
        ON v.crawl = s.crawl
        AND v.body_id = s.body_id
        AND v.code = s.code
        AND v.tier = s.tier
        AND coalesce(v.line_no, 0) = s.line_no
    GROUP BY s.crawl, s.tier, s.code
)
SELECT
    s.crawl,
    s.place,
    s.tier,
    s.code,
    s.sites,
    s.bodies,
    nullif(s.line_no, 0) AS line_no,
    min(v.excerpt) AS example
FROM shown AS s
JOIN first AS f ON f.crawl = s.crawl AND f.tier = s.tier AND f.code = s.code
JOIN violations AS v
    ON v.crawl = s.crawl
    AND v.body_id = s.body_id
    AND v.code = s.code
    AND v.tier = s.tier
    AND coalesce(v.line_no, 0) = s.line_no
    AND coalesce(v.byte_offset, 0) = f.byte_offset
GROUP BY s.crawl, s.place, s.tier, s.code, s.sites, s.bodies, s.line_no
ORDER BY s.crawl, s.place
