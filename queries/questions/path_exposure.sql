-- title: Paths that files disallow
-- id: D11
-- question: Which paths do the most files disallow, for which agents, and which paths for one agent only?
-- grain: one row per crawl, stratum and path; a body counts once, however many sites serve it
-- reads: stratum_contents, strata, groups, rules
-- parameter: paths one of pattern directory = pattern, extent: pattern: normalised patterns; directory: the first part of a pattern, a directory or a file, without its query (/?q=1 counts as /?) and the slash at its end (/a/ counts as /a, and //a as //), or the whole pattern if it does not start with a slash
-- parameter: allow boolean = false, verb: counts allow lines instead of disallow lines
-- parameter: top count = 50, paths: how many paths per crawl and stratum, those with the most sites first
-- column: path: the path: a normalised pattern, or its first part with --paths directory
-- column: sites: sites whose file disallows the path for some agent; with --allow true, allows it
-- column: sites_to_wildcard: of these sites, those whose wildcard group has such a line
-- column: sites_to_one_agent: of these sites, those with such lines for one named agent only
-- column: rules: disallow lines with this path, in distinct files; with --allow true, allow lines
-- caveat: Most of these paths come from default files of software; see templates.
-- caveat: Rules before the first user-agent line, and rules of empty user-agent lines, apply to no agent and are omitted.
WITH repeated_agents AS (
    SELECT crawl, body_id, token, min(agent_no) AS first_no FROM groups GROUP BY crawl, body_id, token HAVING count(*) > 1
),
-- An agent is known by the first line that names it. Comparing numbers is faster than comparing names.
group_agents AS (
    SELECT
        g.crawl,
        g.body_id,
        g.group_no,
        min(coalesce(a.first_no, g.agent_no)) AS first_no,
        max(coalesce(a.first_no, g.agent_no)) AS last_no,
        max(CASE g.token WHEN '*' THEN 1 ELSE 0 END) AS has_wildcard
    FROM repeated_agents AS a
    RIGHT JOIN groups AS g ON g.crawl = a.crawl AND g.body_id = a.body_id AND g.token = a.token
    WHERE g.token <> ''
    GROUP BY g.crawl, g.body_id, g.group_no
),
rule_paths AS (
    SELECT
        crawl,
        body_id,
        group_no,
        CASE $paths
            WHEN 'directory' THEN CASE
                -- A query of the root directory is not the whole site, and neither is an empty directory.
                WHEN starts_with(coalesce(pattern_normal, pattern), '/?') THEN '/?'
                WHEN starts_with(coalesce(pattern_normal, pattern), '//') THEN '//'
                WHEN starts_with(coalesce(pattern_normal, pattern), '/')
                    THEN '/' || split_part(split_part(coalesce(pattern_normal, pattern), '/', 2), '?', 1)
                ELSE coalesce(pattern_normal, pattern)
            END
            ELSE coalesce(pattern_normal, pattern)
        END AS path
    FROM rules
    WHERE allow = $allow AND group_no IS NOT NULL AND pattern <> ''
),
-- The agents of a path in a file. It has only one agent if the least and the greatest number are the same.
body_paths AS (
    SELECT
        r.crawl,
        r.body_id,
        r.path,
        count(*) AS rules,
        max(g.has_wildcard) AS has_wildcard,
        CASE WHEN min(g.first_no) = max(g.last_no) AND max(g.has_wildcard) = 0 THEN 1 ELSE 0 END AS is_for_one
    FROM rule_paths AS r
    JOIN group_agents AS g ON g.crawl = r.crawl AND g.body_id = r.body_id AND g.group_no = r.group_no
    GROUP BY r.crawl, r.body_id, r.path
),
path_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        b.path,
        sum(s.weight) AS sites,
        sum(CASE b.has_wildcard WHEN 1 THEN s.weight ELSE 0 END) AS sites_to_wildcard,
        sum(CASE b.is_for_one WHEN 1 THEN s.weight ELSE 0 END) AS sites_to_one_agent,
        count(*) AS bodies,
        sum(b.rules) AS rules
    FROM stratum_contents AS s
    JOIN body_paths AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, b.path
),
ranked_paths AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, path) AS bigint) AS place FROM path_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.path,
    r.sites,
    s.sites_counted,
    CAST(r.sites AS double) / nullif(s.sites_counted, 0) AS share,
    r.sites_to_wildcard,
    r.sites_to_one_agent,
    r.bodies,
    r.rules
FROM ranked_paths AS r
JOIN strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
