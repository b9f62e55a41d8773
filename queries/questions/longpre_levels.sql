-- title: Agents restricted, by the eight levels of Consent in Crisis
-- id: D03
-- question: How strictly does robots.txt restrict an agent, on the scale of Longpre and others (2024)?
-- grain: one row per crawl, stratum, agent and level
-- reads: strata, population, bodies, groups, rules, policies, agents
-- parameter: tokens agents = 'GPTBot, CCBot, anthropic-ai, ClaudeBot, Google-Extended, cohere-ai, FacebookBot, ia_archiver', tokens: which agents, with commas or blanks between them, and the star besides
-- parameter: directories text = '/admin, /private, /confidential', texts: a disallow line that holds one of them, in any case, is about an important directory; with commas or blanks between them
-- caveat: levels 7 (all), 6 (patterns with a question mark), 5 (an important directory), 4 (other paths), 3 (nothing but a crawl delay), 2 (nothing but a sitemap in the file), 1 (nothing), 0 (no file, or an empty one)
-- caveat: lines with a question mark are set aside before it is asked whether something or all is refused, so that a file which refuses nothing else is at level 1 to 3
-- caveat: all means that a disallow line says / and no allow line is left, so that Disallow: /* is level 4 and one harmless allow line makes 4 of 7
-- caveat: an agent with a group of its own is judged by it, any other by the star's; names are compared in any case and agents of one group share its rules, other than in the code of the study
WITH asked AS (
    SELECT '*' AS agent
    UNION ALL
    SELECT lower(token) AS agent
    FROM agents
    WHERE lower(token) IN ($tokens)
),
heads AS (
    SELECT DISTINCT crawl, body_id, group_no, token FROM groups WHERE token IN (SELECT agent FROM asked)
),
directories AS (
    SELECT split_part(replace(replace(lower($directories), ' ', ','), ',,', ','), ',', place) AS directory
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) AS places (place)
),
important AS (
    SELECT DISTINCT r.crawl, r.body_id, r.group_no
    FROM rules AS r
    JOIN directories AS d ON d.directory <> '' AND strpos(lower(r.pattern), d.directory) > 0
    WHERE NOT r.allow
),
-- How often each pattern is allowed and disallowed: as often each is what the study calls the same.
lines AS (
    SELECT
        h.crawl,
        h.body_id,
        h.token,
        r.pattern,
        sum(CASE WHEN r.allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN r.allow THEN 0 ELSE 1 END) AS disallows,
        max(CASE WHEN i.group_no IS NOT NULL THEN 1 ELSE 0 END) AS is_important
    FROM heads AS h
    JOIN rules AS r ON r.crawl = h.crawl AND r.body_id = h.body_id AND r.group_no = h.group_no
    LEFT JOIN important AS i ON i.crawl = r.crawl AND i.body_id = r.body_id AND i.group_no = r.group_no
    GROUP BY h.crawl, h.body_id, h.token, r.pattern
),
counts AS (
    SELECT
        crawl,
        body_id,
        token,
        sum(CASE WHEN strpos(pattern, '?') = 0 THEN allows ELSE 0 END) AS allows,
        sum(CASE WHEN strpos(pattern, '?') = 0 THEN disallows ELSE 0 END) AS disallows,
        sum(CASE WHEN strpos(pattern, '?') = 0 AND allows <> disallows THEN 1 ELSE 0 END) AS differences,
        sum(CASE WHEN pattern = '' THEN disallows ELSE 0 END) AS empty_disallows,
        sum(CASE WHEN pattern = '/' THEN disallows ELSE 0 END) AS root_disallows,
        sum(CASE WHEN strpos(pattern, '?') > 0 THEN disallows ELSE 0 END) AS query_disallows,
        max(is_important) AS is_important
    FROM lines
    GROUP BY crawl, body_id, token
),
judged AS (
    SELECT
        p.crawl,
        p.body_id,
        p.token,
        CASE
            WHEN coalesce(c.disallows, 0) = 0
                OR c.disallows = 1 AND c.empty_disallows = 1
                OR c.differences = 0 THEN CASE WHEN p.crawl_delay_s IS NOT NULL THEN 3 ELSE 1 END
            WHEN c.root_disallows > 0 AND c.allows = 0 THEN 7
            WHEN c.query_disallows > 0 THEN 6
            WHEN c.is_important = 1 THEN 5
            ELSE 4
        END AS level
    FROM policies AS p
    LEFT JOIN counts AS c ON c.crawl = p.crawl AND c.body_id = p.body_id AND c.token = p.token
    WHERE p.token IN (SELECT agent FROM asked)
),
held AS (
    SELECT p.crawl, p.stratum, p.body_id, b.body_bytes, b.sitemap_count, sum(p.weight) AS weight
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, p.body_id, b.body_bytes, b.sitemap_count
),
levelled AS (
    SELECT
        h.crawl,
        h.stratum,
        a.agent,
        h.weight,
        CASE
            WHEN h.body_id IS NULL OR h.body_bytes = 0 THEN 0
            WHEN coalesce(n.level, s.level, 1) = 1 AND h.sitemap_count > 0 THEN 2
            ELSE coalesce(n.level, s.level, 1)
        END AS level
    FROM asked AS a
    CROSS JOIN held AS h
    LEFT JOIN judged AS n ON n.crawl = h.crawl AND n.body_id = h.body_id AND n.token = a.agent
    LEFT JOIN judged AS s ON s.crawl = h.crawl AND s.body_id = h.body_id AND s.token = '*'
),
told AS (
    SELECT crawl, stratum, agent, level, sum(weight) AS sites FROM levelled GROUP BY crawl, stratum, agent, level
)
SELECT
    t.crawl,
    t.stratum,
    t.agent,
    t.level,
    CASE t.level
        WHEN 0 THEN 'no_robots'
        WHEN 1 THEN 'none'
        WHEN 2 THEN 'none_sitemap'
        WHEN 3 THEN 'none_crawl_delay'
        WHEN 4 THEN 'some_other'
        WHEN 5 THEN 'some_disallow_important_dir'
        WHEN 6 THEN 'some_pattern_restrictions'
        ELSE 'all'
    END AS level_name,
    t.sites,
    c.sites_counted,
    t.sites / nullif(c.sites_counted, 0) AS share
FROM told AS t
JOIN strata AS c ON c.crawl = t.crawl AND c.stratum = t.stratum
ORDER BY t.crawl, t.stratum, t.agent, t.level
