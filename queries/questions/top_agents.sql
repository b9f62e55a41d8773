-- title: Agents named
-- id: D01
-- question: Which agents are named most, by how many sites and in how many files?
-- grain: one row per crawl, stratum and name; a body is counted once however many sites serve it
-- reads: stratum_contents, strata, groups
-- parameter: name one of token written = token, spelling: how names are told apart: by token (case, version and stars at the end aside), or as written
-- parameter: top integer = 50, names: how many for each crawl and stratum, those named by most sites first
-- caveat: a name in a file is no choice of its owner where the file is a template or was copied from a list; see template_adjusted_agents and legacy_blocklists
-- caveat: lines are user-agent lines; a file that names an agent in several groups has several, so that they are no count of files
WITH named AS (
    SELECT
        crawl,
        body_id,
        CASE $name WHEN 'written' THEN agent ELSE token END AS name,
        count(*) AS lines
    FROM groups
    GROUP BY crawl, body_id, CASE $name WHEN 'written' THEN agent ELSE token END
),
naming AS (
    SELECT
        h.crawl,
        h.stratum,
        n.name,
        sum(h.weight) AS sites,
        count(*) AS bodies,
        sum(n.lines) AS lines
    FROM stratum_contents AS h
    JOIN named AS n ON n.crawl = h.crawl AND n.body_id = h.body_id
    GROUP BY h.crawl, h.stratum, n.name
),
placed AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, name) AS bigint) AS place
    FROM naming
)
SELECT
    p.crawl,
    p.stratum,
    p.place,
    p.name,
    p.sites,
    c.sites_counted,
    p.sites / nullif(c.sites_counted, 0) AS share,
    p.bodies,
    p.lines
FROM placed AS p
JOIN strata AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
WHERE p.place <= $top
ORDER BY p.crawl, p.stratum, p.place
