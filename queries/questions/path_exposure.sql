-- title: Paths that files speak of
-- id: D11
-- question: Which paths do most files refuse, to whom, and which to one agent alone?
-- grain: one row per crawl, stratum and path; a body is counted once however many sites serve it
-- reads: stratum_contents, strata, groups, rules
-- parameter: paths one of pattern directory = pattern, extent: patterns as they are compared, or the directory below the root that they begin with
-- parameter: allow boolean = false, verb: whether allow lines are asked about instead of disallow lines
-- parameter: top integer = 50, paths: how many for each crawl and stratum, those of most sites first
-- caveat: what most files refuse is what the default file of a system refuses; see templates
-- caveat: a rule before the first user-agent line holds for nobody and is left out
WITH heads AS (
    SELECT crawl, body_id, group_no, min(token) AS first_token, max(token) AS last_token, max(CASE token WHEN '*' THEN 1 ELSE 0 END) AS has_star
    FROM groups
    GROUP BY crawl, body_id, group_no
),
spoken AS (
    SELECT
        crawl,
        body_id,
        group_no,
        CASE $paths
            WHEN 'directory' THEN '/' || split_part(split_part(coalesce(pattern_normal, pattern), '/', 2), '?', 1)
            ELSE coalesce(pattern_normal, pattern)
        END AS path
    FROM rules
    WHERE allow = $allow AND group_no IS NOT NULL AND pattern <> ''
),
-- To whom a file says it: min and max of the tokens are the same if there is one.
said AS (
    SELECT
        s.crawl,
        s.body_id,
        s.path,
        count(*) AS rules,
        max(h.has_star) AS has_star,
        CASE WHEN min(h.first_token) = max(h.last_token) AND max(h.has_star) = 0 THEN 1 ELSE 0 END AS is_for_one
    FROM spoken AS s
    JOIN heads AS h ON h.crawl = s.crawl AND h.body_id = s.body_id AND h.group_no = s.group_no
    GROUP BY s.crawl, s.body_id, s.path
),
told AS (
    SELECT
        h.crawl,
        h.stratum,
        s.path,
        sum(h.weight) AS sites,
        sum(CASE s.has_star WHEN 1 THEN h.weight ELSE 0 END) AS sites_to_star,
        sum(CASE s.is_for_one WHEN 1 THEN h.weight ELSE 0 END) AS sites_to_one_agent,
        count(*) AS bodies,
        sum(s.rules) AS rules
    FROM stratum_contents AS h
    JOIN said AS s ON s.crawl = h.crawl AND s.body_id = h.body_id
    GROUP BY h.crawl, h.stratum, s.path
),
placed AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, bodies DESC, path) AS bigint) AS place FROM told
)
SELECT
    p.crawl,
    p.stratum,
    p.place,
    p.path,
    p.sites,
    c.sites_counted,
    p.sites / nullif(c.sites_counted, 0) AS share,
    p.sites_to_star,
    p.sites_to_one_agent,
    p.bodies,
    p.rules
FROM placed AS p
JOIN strata AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
WHERE p.place <= $top
ORDER BY p.crawl, p.stratum, p.place
