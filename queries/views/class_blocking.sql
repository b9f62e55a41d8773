-- title: Blocking by policy class
-- question: Does a policy class block an agent, by the chosen definition?
-- grain: one row per policy class and tracked agent with a known verdict
-- reads: sites, definitions
-- parameter: crawl = ''
-- parameter: definition = exact
-- caveat: By d9, a site blocks an agent if the file of any site of its domain does. An unreachable site blocks all agents, but does not count for other sites of its domain.
WITH chosen_verdicts AS (
    SELECT
        crawl,
        class_id,
        agent,
        match_kind,
        access,
        CASE $definition
            WHEN 'd1-named' THEN d1_named
            WHEN 'd2-named-with-rules' THEN d2_named_with_rules
            WHEN 'd3-named-root' THEN d3_named_root
            WHEN 'd4-only-root' THEN d4_only_root
            WHEN 'd5-root-no-allow' THEN d5_root_no_allow
            WHEN 'd6-one-root-rule' THEN d6_one_root_rule
            WHEN 'd7-named-none' THEN d7_named_none
            WHEN 'd8-root' THEN d8_root
            ELSE exact
        END AS blocked
    FROM definitions
    WHERE $crawl = '' OR crawl = $crawl
),
site_domains AS (
    SELECT crawl, site_id, class_id, outcome, coalesce(url_host_registered_domain, url_host_name) AS domain
    FROM sites
    WHERE $definition = 'd9-any-subdomain' AND ($crawl = '' OR crawl = $crawl)
),
-- Domains with a site whose file blocks the agent. An unreachable site does not count for the rest of its domain.
blocking_domains AS (
    SELECT DISTINCT b.crawl, b.agent, s.domain
    FROM site_domains AS s
    JOIN chosen_verdicts AS b ON b.crawl = s.crawl AND b.class_id = s.class_id
    WHERE b.blocked AND s.outcome <> 'unreachable'
)
SELECT crawl, class_id AS blocking_class_id, agent, match_kind, access, blocked
FROM chosen_verdicts
WHERE $definition <> 'd9-any-subdomain'
UNION ALL
SELECT s.crawl, s.site_id AS blocking_class_id, b.agent, b.match_kind, b.access, b.blocked OR d.agent IS NOT NULL AS blocked
FROM site_domains AS s
JOIN chosen_verdicts AS b ON b.crawl = s.crawl AND b.class_id = s.class_id
LEFT JOIN blocking_domains AS d ON d.crawl = b.crawl AND d.agent = b.agent AND d.domain = s.domain
