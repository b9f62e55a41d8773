-- title: Rights reserved in words
-- id: F06
-- question: What share of robots.txt files has words that reserve rights on text and data mining?
-- grain: one row per crawl and phrase, and one for any of them
-- reads: bodies
-- no strata: it counts bodies, which sites of several strata may share
-- parameter: crawl = ''
-- parameter: another text = '', phrase: one more phrase, in lower case
-- column: phrase: the phrase, in lower case; any for at least one of the phrases
-- column: bodies: distinct files with the phrase
-- column: bodies_counted: distinct files whose text was kept, without pages, JSON and binary data
-- column: share: bodies divided by bodies_counted; null if no text was kept
-- column: bodies_in_all: all distinct files of the crawl, also pages, data and files whose text was not kept
-- caveat: This needs tables made with ingest --keep-text, because other tables have no comments. Only bodies whose text was kept count, without pages, JSON and binary data. Without such bodies the share is null.
-- caveat: Bodies are counted, not sites; a body counts once, however many sites serve it. A phrase counts anywhere in the first 512,000 characters of the file, in upper or lower case, not only in comments. A file with a phrase need not reserve rights.
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
-- Texts are cut before they are joined or filtered: a few hundred of 16 MiB are more than one column can have.
body_texts AS (
    SELECT crawl, body_id, CASE WHEN may_be_robots THEN lower(substr(text, 1, 512000)) END AS words
    FROM bodies
    WHERE $crawl = '' OR crawl = $crawl
),
text_phrases AS (
    SELECT b.crawl, b.body_id, p.place
    FROM body_texts AS b
    JOIN phrases AS p ON strpos(b.words, p.phrase) > 0
),
found_phrases AS (
    SELECT t.crawl, t.body_id, t.place
    FROM distinct_bodies AS d
    JOIN text_phrases AS t ON t.crawl = d.crawl AND t.body_id = d.body_id
),
phrase_totals AS (
    SELECT crawl, place, count(*) AS bodies FROM found_phrases GROUP BY crawl, place
    UNION ALL
    SELECT crawl, 0 AS place, count(DISTINCT body_id) AS bodies FROM found_phrases GROUP BY crawl
),
counted_bodies AS (
    SELECT crawl, body_id, CASE WHEN text IS NOT NULL AND may_be_robots THEN 1 ELSE 0 END AS is_counted
    FROM bodies
    WHERE $crawl = '' OR crawl = $crawl
),
body_totals AS (
    SELECT b.crawl, count(*) AS bodies_in_all, sum(b.is_counted) AS bodies_counted
    FROM distinct_bodies AS d
    JOIN counted_bodies AS b ON b.crawl = d.crawl AND b.body_id = d.body_id
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
