-- title: Preferences in Content-Signal and Content-Usage
-- id: F02
-- question: Which preferences do sites with Content-Signal or Content-Usage state, and in which combinations?
-- grain: one row per crawl, stratum, record and preference (what is value) or set of preferences of a file (what is combination)
-- reads: stratum_files, signals, records
-- parameter: denominator = read
-- parameter: top count = 30, rows: how many preferences, and how many sets, of each record, those with the most sites first
-- column: signal: content-signal, content-usage
-- column: what: value for one preference, combination for the set of a file
-- column: preferences: the preference as label=value; for a combination all that stand in the file, separated by blanks
-- column: sites: sites whose file has this preference, or exactly this set
-- column: sites_counted: sites whose file has the record
-- caveat: sites_counted counts the sites with the record. A site with different preferences for different crawlers counts for each, and its set has the value both, as in ai-train=both.
-- caveat: Values are all preferences that have a label and a value, also those that are invalid; signal_invalid counts the others. Sets have only preferences that stand by the vocabulary of the day of the crawl. A managed block writes the same line on all its sites, so a set may come from a vendor and not from owners.
WITH stated_preferences AS (
    SELECT crawl, body_id, signal, label, value, label_place, effect FROM signals WHERE label <> '' AND value <> ''
),
body_labels AS (
    SELECT
        crawl,
        body_id,
        signal,
        label,
        label_place,
        min(value) AS value,
        count(DISTINCT value) AS answers
    FROM stated_preferences
    WHERE effect = 'stands'
    GROUP BY crawl, body_id, signal, label, label_place
),
label_values AS (
    SELECT
        crawl,
        body_id,
        signal,
        label_place,
        label || '=' || CASE answers WHEN 1 THEN value ELSE 'both' END AS preferences
    FROM body_labels
),
preference_sets AS (
    SELECT
        crawl,
        body_id,
        signal,
        CAST(string_agg(preferences, ' ' ORDER BY label_place) AS varchar) AS preferences
    FROM label_values
    GROUP BY crawl, body_id, signal
),
body_preferences AS (
    SELECT DISTINCT crawl, body_id, signal, 'value' AS what, label || '=' || value AS preferences FROM stated_preferences
    UNION
    SELECT crawl, body_id, signal, 'combination' AS what, preferences FROM preference_sets
),
body_signals AS (
    -- A record without a value states no preference.
    SELECT DISTINCT crawl, body_id, record AS signal FROM records WHERE record IN ('content-signal', 'content-usage')
),
signal_totals AS (
    SELECT f.crawl, f.stratum, b.signal, sum(f.weight) AS sites_counted
    FROM body_signals AS b
    JOIN stratum_files AS f ON f.crawl = b.crawl AND f.body_id = b.body_id
    GROUP BY f.crawl, f.stratum, b.signal
),
preference_totals AS (
    SELECT f.crawl, f.stratum, b.signal, b.what, b.preferences, sum(f.weight) AS sites
    FROM body_preferences AS b
    JOIN stratum_files AS f ON f.crawl = b.crawl AND f.body_id = b.body_id
    GROUP BY f.crawl, f.stratum, b.signal, b.what, b.preferences
),
ranked_preferences AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum, signal, what ORDER BY sites DESC, preferences) AS bigint) AS place
    FROM preference_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.signal,
    r.what,
    r.preferences,
    r.sites,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share
FROM ranked_preferences AS r
JOIN signal_totals AS s ON s.crawl = r.crawl AND s.stratum = r.stratum AND s.signal = r.signal
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.signal, r.what DESC, r.place
