-- title: Preferences that nobody can understand
-- id: F04
-- question: What share of the sites that state a preference on AI does so in a way that its vocabulary does not have?
-- grain: one row per crawl, stratum, record and problem that some site has
-- reads: stratum_bodies, signals, records
-- parameter: denominator one of rules read answered decided all = read, sites: which are counted, as in population
-- caveat: sites_counted are the sites that have the record, sound or not. example is one of what stands there, the first in the order of the alphabet.
-- caveat: before_group: the line stands before the first user-agent line, where a preference is of no crawler; a licence is for the whole file and may stand anywhere. no_url: a licence that is no absolute URL. contradiction: yes and no to the same in one group. earlier_label: a label that a draft had and dropped.
-- caveat: Vocabularies move; what is unknown here may have been sound when it was written.
WITH lines AS (
    SELECT DISTINCT crawl, body_id, signal, line_no FROM signals
    UNION
    SELECT crawl, body_id, key AS signal, line_no FROM records WHERE key = 'license'
),
problems AS (
    SELECT crawl, body_id, signal, problem, line_no, member AS example FROM signals WHERE problem IS NOT NULL
    UNION
    SELECT crawl, body_id, signal, 'before_group' AS problem, line_no, member AS example FROM signals WHERE group_no IS NULL
    UNION
    SELECT crawl, body_id, signal, 'contradiction' AS problem, min(line_no) AS line_no, label AS example
    FROM signals
    WHERE problem IS NULL
    GROUP BY crawl, body_id, signal, group_no, path, label
    HAVING min(value) <> max(value)
    UNION
    SELECT crawl, body_id, key AS signal, 'no_url' AS problem, line_no, value AS example
    FROM records
    WHERE key = 'license' AND strpos(value, '://') = 0
),
of_bodies AS (
    SELECT crawl, body_id, signal, problem, count(DISTINCT line_no) AS lines, min(example) AS example
    FROM problems
    GROUP BY crawl, body_id, signal, problem
),
site_counts AS (
    SELECT crawl, stratum, body_id, weight
    FROM stratum_bodies
    WHERE outcome IN ('rules', 'no_rules')
),
having_it AS (
    SELECT DISTINCT crawl, body_id, signal FROM lines
),
totals AS (
    SELECT s.crawl, s.stratum, h.signal, sum(s.weight) AS sites_counted
    FROM having_it AS h
    JOIN site_counts AS s ON s.crawl = h.crawl AND s.body_id = h.body_id
    GROUP BY s.crawl, s.stratum, h.signal
),
counted AS (
    SELECT s.crawl, s.stratum, o.signal, o.problem, sum(o.lines) AS lines, sum(s.weight) AS sites, min(o.example) AS example
    FROM of_bodies AS o
    JOIN site_counts AS s ON s.crawl = o.crawl AND s.body_id = o.body_id
    GROUP BY s.crawl, s.stratum, o.signal, o.problem
)
SELECT
    c.crawl,
    c.stratum,
    c.signal,
    c.problem,
    c.lines,
    c.sites,
    t.sites_counted,
    c.sites / nullif(t.sites_counted, 0) AS share,
    c.example
FROM counted AS c
JOIN totals AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.signal = c.signal
ORDER BY c.crawl, c.stratum, c.signal, c.sites DESC, c.problem
