-- title: Signals
-- question: Which preferences do Content-Signal and Content-Usage lines state, by the vocabulary of the day of the crawl?
-- grain: one row per preference of such a line; only the first 32 of a line
-- reads: crawls, preferences, vocabularies
-- caveat: A label is in use if a vocabulary has it at any time between the first and the last day of the crawl, as in the view crawls.
-- caveat: problem is null for a preference that stands. earlier_label and later_label are labels that no vocabulary has during the crawl. With earlier_label, one had it before, perhaps again later; with later_label, one has it only after the crawl. They are not understood, which is not an error. Without days of the crawl, all labels are in use. The other problems are those of the table preferences.
WITH known_labels AS (
    SELECT
        c.crawl,
        v.signal,
        v.label,
        v.place,
        v.purpose,
        max(CASE WHEN v.valid_from > c.last_day OR v.valid_until <= c.first_day THEN 0 ELSE 1 END) AS is_in_use,
        max(CASE WHEN v.valid_from > c.last_day THEN 0 ELSE 1 END) AS is_known_before
    FROM crawls AS c
    CROSS JOIN vocabularies AS v
    GROUP BY c.crawl, v.signal, v.label, v.place, v.purpose
)
SELECT
    p.crawl,
    p.body_id,
    p.line_no,
    p.group_no,
    p.signal,
    p.path,
    p.place,
    p.member,
    p.label,
    p.value,
    k.purpose,
    k.place AS label_place,
    p.stated,
    CASE
        WHEN p.problem IS NOT NULL THEN p.problem
        WHEN k.is_in_use = 1 THEN NULL
        WHEN k.is_known_before = 1 THEN 'earlier_label'
        ELSE 'later_label'
    END AS problem,
    CASE WHEN p.problem IS NULL AND k.is_in_use = 0 THEN 'not_understood' ELSE p.effect END AS effect
FROM preferences AS p
LEFT JOIN known_labels AS k ON k.crawl = p.crawl AND k.signal = p.signal AND k.label = p.label
