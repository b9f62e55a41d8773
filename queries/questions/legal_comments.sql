-- title: Rights reserved in words
-- id: F06
-- question: What share of robots.txt files has words that reserve rights on text and data mining?
-- grain: one row per crawl and phrase, and one for any of them
-- reads: bodies
-- no strata: it counts bodies, which sites of several strata may share
-- parameter: crawl = ''
-- parameter: another text = '', phrase: one more phrase, in lower case
-- caveat: This needs tables made with ingest --keep-text, because other tables have no comments. Only bodies whose text was kept count, without pages. Without such bodies the share is null.
-- caveat: Bodies are counted, not sites; a body counts once, however many sites serve it. A phrase counts anywhere in the file, in upper or lower case, not only in comments. A file with a phrase need not reserve rights.
WITH phrase_list AS (
    SELECT *
    FROM (VALUES
        (1, '2019/790'),
        (2, 'text and data mining'),
        (3, 'text- und data-mining'),
        (4, 'text- und data mining'),
        (5, 'fouille de textes'),
        (6, 'tdm'),
        (7, 'rights reserved'),
        (8, 'reserves all rights'),
        (9, 'urhg')
    ) AS p (place, phrase)
    UNION ALL
    SELECT 10 AS place, lower($another) AS phrase
),
phrases AS (
    SELECT place, phrase FROM phrase_list WHERE phrase <> ''
),
-- Each part of the tables has bodies of its own.
distinct_bodies AS (
    SELECT crawl, min(body_id) AS body_id FROM bodies WHERE $crawl = '' OR crawl = $crawl GROUP BY crawl, content_digest
),
body_texts AS (
    SELECT b.crawl, b.body_id, lower(b.text) AS words
    FROM distinct_bodies AS d
    JOIN bodies AS b ON b.crawl = d.crawl AND b.body_id = d.body_id
    WHERE b.text IS NOT NULL AND b.may_be_robots
),
found_phrases AS (
    SELECT b.crawl, b.body_id, p.place
    FROM body_texts AS b
    JOIN phrases AS p ON strpos(b.words, p.phrase) > 0
),
phrase_totals AS (
    SELECT crawl, place, count(*) AS bodies FROM found_phrases GROUP BY crawl, place
    UNION ALL
    SELECT crawl, 0 AS place, count(DISTINCT body_id) AS bodies FROM found_phrases GROUP BY crawl
),
body_totals AS (
    SELECT
        b.crawl,
        count(*) AS bodies_in_all,
        sum(CASE WHEN b.text IS NOT NULL AND b.may_be_robots THEN 1 ELSE 0 END) AS bodies_counted
    FROM distinct_bodies AS d
    JOIN bodies AS b ON b.crawl = d.crawl AND b.body_id = d.body_id
    GROUP BY b.crawl
),
phrase_rows AS (
    SELECT place, phrase FROM phrases
    UNION ALL
    SELECT 0 AS place, 'any' AS phrase
)
SELECT
    b.crawl,
    p.phrase,
    coalesce(t.bodies, 0) AS bodies,
    b.bodies_counted,
    CAST(coalesce(t.bodies, 0) AS double) / nullif(b.bodies_counted, 0) AS share,
    b.bodies_in_all
FROM body_totals AS b
CROSS JOIN phrase_rows AS p
LEFT JOIN phrase_totals AS t ON t.crawl = b.crawl AND t.place = p.place
ORDER BY b.crawl, p.place
