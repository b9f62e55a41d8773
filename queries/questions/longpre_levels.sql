-- title: Agents restricted, by the eight levels of Consent in Crisis
-- id: D03
-- question: How strictly does robots.txt restrict an agent, on the scale of Longpre and others (2024)?
-- grain: one row per crawl, stratum, agent and level
-- reads: strata, stratum_bodies, bodies, groups, rules, policies, agents
-- parameter: tokens = 'GPTBot, CCBot, anthropic-ai, ClaudeBot, Google-Extended, cohere-ai, FacebookBot, ia_archiver': which agents, separated by commas or blanks, and * besides
-- parameter: directories texts = '/admin, /private, /confidential', texts: important directories, separated by commas or blanks; a disallow line that contains one of them, in upper or lower case, restricts it
-- column: level: how strictly the agent is restricted, from 0 (no file, or an empty one) to 7 (all disallowed)
-- column: level_name: the name of the level in the study, such as none_sitemap
-- column: sites: sites with this level for the agent
-- caveat: The levels: 7 all; 6 patterns with a question mark; 5 an important directory; 4 other paths; 3 only a crawl delay that is a valid number; 2 only a sitemap in the file; 1 nothing; 0 no file (4xx), or an empty one. Sites that are unreachable or unknown have no level; sites_counted counts them with the denominators decided and all.
-- caveat: Whether something or all is disallowed is judged without the lines with a question mark. A file that disallows nothing else has level 1 to 3. As in the study's code, one empty Disallow line disallows nothing, but two are level 4.
-- caveat: Level 7 needs the line Disallow: / and no remaining allow line. Disallow: /* is level 4, and one harmless allow line turns level 7 into 4, 5 or 6.
-- caveat: An agent with a group of its own is judged by that group, any other by the wildcard group. Unlike in the study's code, names match in upper and lower case, and all agents of a group share its rules.
WITH chosen_agents AS (
    -- Grouping by a number is faster than by a name.
    SELECT 0 AS agent_no, '*' AS agent
    UNION ALL
    SELECT CAST(row_number() OVER (ORDER BY token) AS bigint) AS agent_no, token AS agent
    FROM agents
    WHERE token IN ($tokens)
),
-- A line names an agent by its token or its product token.
group_tokens AS (
    SELECT g.crawl, g.body_id, g.group_no, c.agent_no
    FROM chosen_agents AS c
    JOIN groups AS g ON g.token = c.agent
    UNION
    SELECT g.crawl, g.body_id, g.group_no, c.agent_no
    FROM chosen_agents AS c
    JOIN groups AS g ON g.product_token = c.agent
),
-- How often each pattern is allowed and disallowed. If all these numbers are equal, the study sees no restriction.
pattern_counts AS (
    SELECT
        g.crawl,
        g.body_id,
        g.agent_no,
        r.pattern,
        lower(r.pattern) AS lower_pattern,
        sum(CASE WHEN r.allow THEN 1 ELSE 0 END) AS allows,
        sum(CASE WHEN r.allow THEN 0 ELSE 1 END) AS disallows
    FROM group_tokens AS g
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    GROUP BY g.crawl, g.body_id, g.agent_no, r.pattern
),
rule_counts AS (
    SELECT
        crawl,
        body_id,
        agent_no,
        sum(CASE WHEN strpos(pattern, '?') = 0 THEN allows ELSE 0 END) AS allows,
        sum(CASE WHEN strpos(pattern, '?') = 0 THEN disallows ELSE 0 END) AS disallows,
        sum(CASE WHEN strpos(pattern, '?') = 0 AND allows <> disallows THEN 1 ELSE 0 END) AS differences,
        sum(CASE WHEN pattern = '' THEN disallows ELSE 0 END) AS empty_disallows,
        sum(CASE WHEN pattern = '/' THEN disallows ELSE 0 END) AS root_disallows,
        sum(CASE WHEN strpos(pattern, '?') > 0 THEN disallows ELSE 0 END) AS query_disallows,
        max(CASE WHEN disallows > 0 AND strpos(lower_pattern, $directories) > 0 THEN 1 ELSE 0 END) AS is_important
    FROM pattern_counts
    GROUP BY crawl, body_id, agent_no
),
chosen_policies AS (
    SELECT p.crawl, p.body_id, c.agent_no, p.crawl_delay_s
    FROM chosen_agents AS c
    JOIN policies AS p ON p.token = c.agent
),
agent_levels AS (
    SELECT
        p.crawl,
        p.body_id,
        p.agent_no,
        CASE
            WHEN coalesce(r.disallows, 0) = 0
                OR r.disallows = 1 AND r.empty_disallows = 1
                OR r.differences = 0 THEN CASE WHEN p.crawl_delay_s IS NOT NULL THEN 3 ELSE 1 END
            WHEN r.root_disallows > 0 AND r.allows = 0 THEN 7
            WHEN r.query_disallows > 0 THEN 6
            WHEN r.is_important = 1 THEN 5
            ELSE 4
        END AS level
    FROM chosen_policies AS p
    LEFT JOIN rule_counts AS r ON r.crawl = p.crawl AND r.body_id = p.body_id AND r.agent_no = p.agent_no
),
file_weights AS (
    SELECT s.crawl, s.stratum, s.body_id, b.body_bytes, b.sitemap_count, s.weight
    FROM stratum_bodies AS s
    LEFT JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    WHERE s.body_id IS NOT NULL OR s.outcome = 'unavailable'
),
wildcard_levels AS (
    SELECT crawl, body_id, level FROM agent_levels WHERE agent_no = 0
),
named_files AS (
    SELECT f.crawl, f.stratum, f.body_id, f.body_bytes, f.sitemap_count, f.weight, a.agent_no, a.level, coalesce(w.level, 1) AS wildcard_level
    FROM agent_levels AS a
    JOIN file_weights AS f ON f.crawl = a.crawl AND f.body_id = a.body_id
    LEFT JOIN wildcard_levels AS w ON w.crawl = a.crawl AND w.body_id = a.body_id
    WHERE a.agent_no <> 0
),
-- The level by the rules. An agent has that of the wildcard group (*) in each file, except in files that name it.
ruled_files AS (
    SELECT f.crawl, f.stratum, f.body_id, f.body_bytes, f.sitemap_count, 0 AS agent_no, coalesce(w.level, 1) AS rules_level, f.weight AS sites
    FROM wildcard_levels AS w
    RIGHT JOIN file_weights AS f ON f.crawl = w.crawl AND f.body_id = w.body_id
    UNION ALL
    SELECT crawl, stratum, body_id, body_bytes, sitemap_count, agent_no, level AS rules_level, weight AS sites
    FROM named_files
    UNION ALL
    SELECT crawl, stratum, body_id, body_bytes, sitemap_count, agent_no, wildcard_level AS rules_level, -weight AS sites
    FROM named_files
),
file_levels AS (
    SELECT
        crawl,
        stratum,
        agent_no,
        CASE
            WHEN body_id IS NULL OR body_bytes = 0 THEN 0
            WHEN rules_level = 1 AND sitemap_count > 0 THEN 2
            ELSE rules_level
        END AS level,
        sites
    FROM ruled_files
),
level_changes AS (
    SELECT crawl, stratum, agent_no, level, sum(sites) AS sites FROM file_levels GROUP BY crawl, stratum, agent_no, level
),
agent_changes AS (
    SELECT l.crawl, l.stratum, c.agent, l.level, l.sites
    FROM level_changes AS l
    CROSS JOIN chosen_agents AS c
    WHERE l.agent_no = 0
    UNION ALL
    SELECT l.crawl, l.stratum, c.agent, l.level, l.sites
    FROM level_changes AS l
    JOIN chosen_agents AS c ON c.agent_no = l.agent_no
    WHERE l.agent_no <> 0
),
level_totals AS (
    SELECT crawl, stratum, agent, level, sum(sites) AS sites
    FROM agent_changes
    GROUP BY crawl, stratum, agent, level
    HAVING sum(sites) > 0
)
SELECT
    l.crawl,
    l.stratum,
    l.agent,
    l.level,
    CASE l.level
        WHEN 0 THEN 'no_robots'
        WHEN 1 THEN 'none'
        WHEN 2 THEN 'none_sitemap'
        WHEN 3 THEN 'none_crawl_delay'
        WHEN 4 THEN 'some_other'
        WHEN 5 THEN 'some_disallow_important_dir'
        WHEN 6 THEN 'some_pattern_restrictions'
        ELSE 'all'
    END AS level_name,
    l.sites,
    s.sites_counted,
    CAST(l.sites AS double) / nullif(s.sites_counted, 0) AS share
FROM level_totals AS l
JOIN strata AS s ON s.crawl = l.crawl AND s.stratum = l.stratum
ORDER BY l.crawl, l.stratum, l.agent, l.level
