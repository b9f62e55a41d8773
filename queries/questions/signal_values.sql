-- title: What content signals say
-- id: F02
-- question: Which preferences, and which of them together, do sites with Content-Signal or Content-Usage state?
-- grain: one row per crawl, stratum, record and preference (what is value), or set of preferences of a file (what is combination)
-- reads: stratum_bodies, signals
-- parameter: denominator one of rules read answered decided all = read, sites: which are counted, as in population
-- parameter: top integer = 30, rows: how many preferences and sets of each record, those of most sites first
-- caveat: sites_counted are the sites that have the record. A site that says one thing to one crawler and another to the next counts with both, and its set says both.
-- caveat: Sets are of labels and values of the vocabulary. A managed block writes the same line on all sites that have it, so that a set may tell of a vendor and not of owners; I02 tells how many.
WITH said AS (
    SELECT crawl, body_id, signal, label, value, problem FROM signals WHERE label <> '' AND value <> ''
),
labels AS (
    SELECT
        crawl,
        body_id,
        signal,
        label,
        min(value) AS value,
        count(DISTINCT value) AS answers
    FROM said
    WHERE problem IS NULL
    GROUP BY crawl, body_id, signal, label
),
stated AS (
    SELECT
        crawl,
        body_id,
        signal,
        CASE label WHEN 'search' THEN 1 WHEN 'ai-input' THEN 2 ELSE 3 END AS place,
        label || '=' || CASE answers WHEN 1 THEN value ELSE 'both' END AS said
    FROM labels
),
sets AS (
    SELECT
        crawl,
        body_id,
        signal,
        trim(
            coalesce(max(CASE WHEN place = 1 THEN said || ' ' END), '')
            || coalesce(max(CASE WHEN place = 2 THEN said || ' ' END), '')
            || coalesce(max(CASE WHEN place = 3 THEN said END), '')
        ) AS said
    FROM stated
    GROUP BY crawl, body_id, signal
),
each_said AS (
    SELECT DISTINCT crawl, body_id, signal, 'value' AS what, label || '=' || value AS said FROM said
    UNION
    SELECT crawl, body_id, signal, 'combination' AS what, said FROM sets
),
site_counts AS (
    SELECT crawl, stratum, body_id, weight
    FROM stratum_bodies
    WHERE outcome IN ('rules', 'no_rules')
),
having_it AS (
    SELECT DISTINCT crawl, body_id, signal FROM signals
),
totals AS (
    SELECT s.crawl, s.stratum, h.signal, sum(s.weight) AS sites_counted
    FROM having_it AS h
    JOIN site_counts AS s ON s.crawl = h.crawl AND s.body_id = h.body_id
    GROUP BY s.crawl, s.stratum, h.signal
),
counted AS (
    SELECT s.crawl, s.stratum, e.signal, e.what, e.said, sum(s.weight) AS sites
    FROM each_said AS e
    JOIN site_counts AS s ON s.crawl = e.crawl AND s.body_id = e.body_id
    GROUP BY s.crawl, s.stratum, e.signal, e.what, e.said
),
ranked AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum, signal, what ORDER BY sites DESC, said) AS bigint) AS place
    FROM counted
)
SELECT
    r.crawl,
    r.stratum,
    r.signal,
    r.what,
    r.said,
    r.sites,
    t.sites_counted,
    r.sites / nullif(t.sites_counted, 0) AS share
FROM ranked AS r
JOIN totals AS t ON t.crawl = r.crawl AND t.stratum = r.stratum AND t.signal = r.signal
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.signal, r.what DESC, r.place
