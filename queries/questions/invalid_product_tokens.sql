-- title: Invalid names in user-agent lines
-- id: C06
-- question: Which user-agent lines have neither a valid product token nor *, by reason and name?
-- grain: one row per crawl, stratum, reason and name, most sites first; place 0, without a name, is for all names of a reason
-- reads: strata, stratum_contents, bodies, violations, groups
-- parameter: denominator = read
-- parameter: top count = 10, rows: how many names of each reason, those with the most sites first
-- column: code: the reason, as the name of a violation from docs/violations.md
-- column: place: the place of the name among those with this code in its crawl and stratum, from 1; 0 for all names
-- column: agent: the name as written, in lower case; null for all names
-- column: lines: user-agent lines with this code and name, in distinct files
-- column: lines_counted: user-agent lines of the distinct files of the counted sites, which is the denominator
-- column: share_of_lines: lines divided by lines_counted
-- column: sites: sites whose file has such a line
-- caveat: A line has one reason, the first that applies in the order of docs/violations.md. A name with digits and a version is ua-version.
-- caveat: Names are compared as written, ignoring case.
-- caveat: Some crawlers have names with digits or dots, such as MJ12bot, which the grammar does not allow. Parsers differ in how they treat what follows the leading token.
WITH line_totals AS (
    SELECT s.crawl, s.stratum, s.sites_counted, sum(b.agent_count) AS lines_counted
    FROM strata AS s
    JOIN stratum_contents AS c ON c.crawl = s.crawl AND c.stratum = s.stratum
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    GROUP BY s.crawl, s.stratum, s.sites_counted
),
invalid_names AS (
    SELECT v.crawl, c.stratum, v.body_id, v.code, lower(g.agent) AS agent, c.weight AS sites, count(*) AS lines
    FROM violations AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    JOIN groups AS g ON g.crawl = v.crawl AND g.body_id = v.body_id AND g.line_no = v.line_no
    WHERE starts_with(v.code, 'ua-')
    GROUP BY v.crawl, c.stratum, v.body_id, v.code, lower(g.agent), c.weight
),
reason_totals AS (
    SELECT crawl, stratum, code, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM (
        SELECT crawl, stratum, body_id, code, sites, sum(lines) AS lines
        FROM invalid_names
        GROUP BY crawl, stratum, body_id, code, sites
    ) AS by_body
    GROUP BY crawl, stratum, code
),
name_totals AS (
    SELECT crawl, stratum, code, agent, sum(lines) AS lines, count(*) AS bodies, sum(sites) AS sites
    FROM invalid_names
    GROUP BY crawl, stratum, code, agent
),
ranked_names AS (
    SELECT crawl, stratum, code, 0 AS place, CAST(NULL AS varchar) AS agent, lines, bodies, sites
    FROM reason_totals
    UNION ALL
    SELECT
        crawl,
        stratum,
        code,
        CAST(row_number() OVER (PARTITION BY crawl, stratum, code ORDER BY sites DESC, bodies DESC, lines DESC, agent) AS bigint) AS place,
        agent,
        lines,
        bodies,
        sites
    FROM name_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.code,
    r.place,
    r.agent,
    r.lines,
    l.lines_counted,
    CAST(r.lines AS double) / nullif(l.lines_counted, 0) AS share_of_lines,
    r.bodies,
    r.sites,
    l.sites_counted,
    CAST(r.sites AS double) / nullif(l.sites_counted, 0) AS share
FROM ranked_names AS r
JOIN line_totals AS l ON l.crawl = r.crawl AND l.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.code, r.place
