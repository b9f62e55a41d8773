-- title: Agents named
-- id: D01
-- question: Which agents are named most often, by how many sites and in how many files?
-- grain: one row per crawl, stratum and name; a body counts once, however many sites serve it
-- reads: stratum_contents, strata, groups
-- parameter: tokens = '': which names, by their tokens, separated by commas or blanks; default: all
-- parameter: name one of token written = token, spelling: token: names that differ only in case, version or final * are one; written: names differ as written
-- parameter: top count = 50, names: how many names per crawl and stratum, those with the most sites first
-- column: name: the name: its token in lower case, or as written with --name written
-- column: sites: sites whose file has a user-agent line with this name
-- column: lines: user-agent lines with this name, in distinct files
-- caveat: A named agent need not be blocked. A name need not be the owner's choice: it may come from a template or a copied list; see template_adjusted_agents and legacy_blocklists.
-- caveat: The column lines counts user-agent lines. A file that names an agent in several groups has several lines. Empty lines name no agent and are omitted; invalid_product_tokens counts them.
WITH body_names AS (
    SELECT
        crawl,
        body_id,
        CASE $name WHEN 'written' THEN agent ELSE token END AS name,
        count(*) AS lines
    FROM groups
    WHERE token <> '' AND ('' IN ($tokens) OR token IN ($tokens))
    GROUP BY crawl, body_id, CASE $name WHEN 'written' THEN agent ELSE token END
),
name_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        b.name,
        sum(s.weight) AS sites,
        count(*) AS bodies,
        sum(b.lines) AS lines
    FROM stratum_contents AS s
    JOIN body_names AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, b.name
),
ranked_names AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, name) AS bigint) AS place
    FROM name_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.name,
    r.sites,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share,
    r.bodies,
    r.lines
FROM ranked_names AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
