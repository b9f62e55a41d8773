-- title: Crawl delays, by agent
-- id: G01
-- question: For which agents do files set a crawl delay, and how long is it?
-- grain: one row per crawl, stratum and agent, most sites first; place 0, without an agent, is for any of the chosen agents, and every stratum has it
-- reads: stratum_totals, stratum_contents, stratum_delays, bodies, violations, records, groups
-- parameter: tokens = '': which agents, separated by commas or blanks; default: all that are named
-- parameter: denominator = read
-- parameter: top count = 50, rows: how many agents, those with the most sites with a delay first
-- parameter: long number = 60, seconds: a delay of this length or more counts as long
-- column: place: the place of the agent in its crawl and stratum, from 1; 0 for any of the chosen agents
-- column: agent: the agent, in lower case, or * for the wildcard group; null for any of the chosen agents
-- column: bodies: distinct files that set a delay for the agent
-- column: sites: sites whose file sets a delay for the agent
-- column: sites_zero: sites whose delay for the agent is 0
-- column: sites_long: sites whose delay for the agent is long (--long)
-- column: least_s: the shortest delay for the agent, in seconds; null if no file sets one
-- column: most_s: the longest delay for the agent, in seconds; null if no file sets one
-- column: sites_not_a_number: sites with a crawl-delay line that is not a valid number of seconds; null except at place 0
-- caveat: crawl-delay is not part of RFC 9309. Some crawlers obey it, Google's does not, and crawlers differ in units and limits.
-- caveat: If an agent has several delays, the first valid number counts. For any agent, the longest delay of a file counts.
-- caveat: GPTBot Foo also names GPTBot. Without --tokens, a name has a row if it stands alone in a user-agent line on at least half of the sites with a delay for it, in the crawl and stratum of the row.
-- caveat: A delay of more than 2,147,483,648 seconds (68 years) counts as 2,147,483,648.
-- caveat: sites_not_a_number counts sites with a crawl-delay line that is not a valid number of seconds. Only the row for any of the chosen agents has it. Without --tokens, lines before the first user-agent line count, too.
WITH invalid_lines AS (
    SELECT crawl, body_id, line_no FROM violations WHERE code = 'crawl-delay-invalid'
),
invalid_bodies AS (
    SELECT DISTINCT crawl, body_id FROM invalid_lines WHERE '' IN ($tokens)
    UNION ALL
    SELECT DISTINCT i.crawl, i.body_id
    FROM invalid_lines AS i
    JOIN records AS r ON r.crawl = i.crawl AND r.body_id = i.body_id AND r.line_no = i.line_no
    JOIN groups AS g ON g.crawl = r.crawl AND g.body_id = r.body_id AND g.group_no = r.group_no
    WHERE '' NOT IN ($tokens) AND (g.token IN ($tokens) OR g.product_token IN ($tokens))
),
invalid_delays AS (
    SELECT c.crawl, c.stratum, sum(c.weight) AS sites_not_a_number
    FROM invalid_bodies AS i
    JOIN stratum_contents AS c ON c.crawl = i.crawl AND c.body_id = i.body_id
    JOIN bodies AS b ON b.crawl = i.crawl AND b.body_id = i.body_id
    WHERE b.may_be_robots
    GROUP BY c.crawl, c.stratum
),
delays_by_agent AS (
    SELECT
        crawl,
        stratum,
        agent,
        count(*) AS bodies,
        sum(weight) AS sites,
        sum(CASE WHEN crawl_delay_s = 0 THEN weight ELSE 0 END) AS sites_zero,
        sum(CASE WHEN crawl_delay_s >= $long THEN weight ELSE 0 END) AS sites_long,
        min(crawl_delay_s) AS least_s,
        max(crawl_delay_s) AS most_s
    FROM stratum_delays
    GROUP BY crawl, stratum, agent
    HAVING '' NOT IN ($tokens) OR sum(CASE WHEN is_written THEN weight ELSE -weight END + weight_slack) >= 0
),
any_delays AS (
    SELECT * FROM delays_by_agent WHERE agent IS NULL
),
-- A stratum may have only delays that are not numbers, and these count in the row without an agent.
listed_delays AS (
    SELECT
        s.crawl,
        s.stratum,
        a.agent,
        coalesce(a.bodies, 0) AS bodies,
        coalesce(a.sites, 0) AS sites,
        coalesce(a.sites_zero, 0) AS sites_zero,
        coalesce(a.sites_long, 0) AS sites_long,
        a.least_s,
        a.most_s
    FROM stratum_totals AS s
    LEFT JOIN any_delays AS a ON a.crawl = s.crawl AND a.stratum = s.stratum
    UNION ALL
    SELECT crawl, stratum, agent, bodies, sites, sites_zero, sites_long, least_s, most_s FROM delays_by_agent WHERE agent IS NOT NULL
),
ranked_delays AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum ORDER BY CASE WHEN agent IS NULL THEN 0 ELSE 1 END, sites DESC, bodies DESC, agent
        ) AS bigint) - 1 AS place
    FROM listed_delays
)
SELECT
    r.crawl,
    r.stratum,
    r.place,
    r.agent,
    r.bodies,
    r.sites,
    c.sites_counted,
    CAST(r.sites AS double) / nullif(c.sites_counted, 0) AS share,
    r.sites_zero,
    r.sites_long,
    r.least_s,
    r.most_s,
    CASE WHEN r.place = 0 THEN coalesce(i.sites_not_a_number, 0) END AS sites_not_a_number
FROM ranked_delays AS r
JOIN stratum_totals AS c ON c.crawl = r.crawl AND c.stratum = r.stratum
LEFT JOIN invalid_delays AS i ON i.crawl = r.crawl AND i.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.place
