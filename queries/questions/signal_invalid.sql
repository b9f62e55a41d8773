-- title: Preferences with problems
-- id: F04
-- question: What share of the sites that state a preference on AI does so with a problem, and does the preference still count?
-- grain: one row per crawl, stratum, record, problem and effect
-- reads: stratum_files, stratum_contents, signals, linked_hosts, records
-- parameter: denominator = read
-- column: signal: content-signal, content-usage, license
-- column: problem: the problem; the caveats and docs/signals.md explain its values
-- column: effect: invalid, not_understood, overruled, stands
-- column: lines: lines with the problem, each distinct file once
-- column: sites: sites whose file has such a line
-- column: sites_counted: sites whose file has the record
-- column: example: the alphabetically first preference with this problem; a label for contradiction, a value for license
-- caveat: sites_counted counts the sites with the record, valid or not. example is the alphabetically first example.
-- caveat: effect says what becomes of the preference. invalid: it is an error and does not count. not_understood: it is skipped without an error. overruled: another preference counts instead. stands: it counts.
-- caveat: before_group: the line is before the first user-agent line and applies to no crawler (a licence applies to the whole file and may be anywhere). no_url: a licence that is not an absolute URL. contradiction: allowed and disallowed for the same path in one group, and no specification says which counts. earlier_label, later_label: a label that no vocabulary had on the day of the crawl, but one did before or later. The other problems are those of the table preferences.
WITH line_problems AS (
    SELECT crawl, body_id, signal, problem, effect, line_no, member AS example FROM signals WHERE problem IS NOT NULL
    UNION
    SELECT crawl, body_id, signal, 'contradiction' AS problem, 'stands' AS effect, min(line_no) AS line_no, label AS example
    FROM signals
    WHERE effect = 'stands' AND stated IN ('allow', 'disallow')
    GROUP BY crawl, body_id, signal, group_no, path, label
    HAVING min(stated) <> max(stated)
    UNION
    SELECT crawl, body_id, record AS signal, 'no_url' AS problem, 'invalid' AS effect, line_no, value AS example
    FROM linked_hosts
    WHERE record = 'license' AND scheme IS NULL
),
body_problems AS (
    SELECT crawl, body_id, signal, problem, effect, count(DISTINCT line_no) AS lines, min(example) AS example
    FROM line_problems
    GROUP BY crawl, body_id, signal, problem, effect
),
body_signals AS (
    -- A record without a value states no preference.
    SELECT DISTINCT crawl, body_id, record AS signal
    FROM records
    WHERE record IN ('content-signal', 'content-usage', 'license')
),
signal_totals AS (
    SELECT f.crawl, f.stratum, b.signal, sum(f.weight) AS sites_counted
    FROM body_signals AS b
    JOIN stratum_files AS f ON f.crawl = b.crawl AND f.body_id = b.body_id
    GROUP BY f.crawl, f.stratum, b.signal
),
-- A line counts once, however many parts of the tables have its file.
problem_totals AS (
    SELECT c.crawl, c.stratum, b.signal, b.problem, b.effect, sum(b.lines) AS lines, sum(c.weight) AS sites, min(b.example) AS example
    FROM body_problems AS b
    JOIN stratum_contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
    JOIN stratum_files AS f ON f.crawl = c.crawl AND f.stratum = c.stratum AND f.body_id = c.body_id
    GROUP BY c.crawl, c.stratum, b.signal, b.problem, b.effect
)
SELECT
    p.crawl,
    p.stratum,
    p.signal,
    p.problem,
    p.effect,
    p.lines,
    p.sites,
    s.sites_counted,
    CAST(p.sites AS double) / nullif(s.sites_counted, 0) AS share,
    p.example
FROM problem_totals AS p
JOIN signal_totals AS s ON s.crawl = p.crawl AND s.stratum = p.stratum AND s.signal = p.signal
ORDER BY p.crawl, p.stratum, p.signal, p.sites DESC, p.problem
