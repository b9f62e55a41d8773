-- title: Agents blocked, by ten definitions
-- id: D05
-- question: How much does the share of sites that block an agent depend on the definition of blocked?
-- grain: one row per crawl, stratum and agent
-- reads: population, sites, definitions, tracked_agents
-- parameter: tokens = 'GPTBot, CCBot, ClaudeBot, Google-Extended, ChatGPT-User, Bytespider, Amazonbot, PerplexityBot, Applebot-Extended, meta-externalagent, anthropic-ai, Googlebot, bingbot': which agents, separated by commas or blanks, and * besides; if empty, all tracked agents
-- parameter: top count = 50, agents: how many agents, those that the most sites block first, and * besides
-- column: sites_exact: sites that block the agent by exact: the agent may fetch no path
-- column: sites_d1_named: sites that block the agent by d1-named: the file names the agent; null for the agent *
-- column: sites_d2_named_with_rules: sites that block the agent by d2-named-with-rules: the file names the agent in groups with at least one rule; null for the agent *
-- column: sites_d3_named_root: sites that block the agent by d3-named-root: the file names the agent and has exactly Disallow: / for it; null for the agent *
-- column: sites_d4_only_root: sites that block the agent by d4-only-root: the rules for the agent are Disallow: / and nothing else
-- column: sites_d5_root_no_allow: sites that block the agent by d5-root-no-allow: the rules for the agent have Disallow: / and no allow line
-- column: sites_d6_one_root_rule: sites that block the agent by d6-one-root-rule: the only rule for the agent is a disallow line that blocks everything
-- column: sites_d7_named_none: sites that block the agent by d7-named-none: the file names the agent and allows it no path; null for the agent *
-- column: sites_d8_root: sites that block the agent by d8-root: the agent may not fetch /
-- column: sites_d9_any_subdomain: sites that block the agent by d9-any-subdomain: a file of the domain, or the site itself, blocks the agent by exact
-- column: exact: sites_exact divided by sites_counted
-- column: d1_named: sites_d1_named divided by sites_counted; null for the agent *
-- column: d2_named_with_rules: sites_d2_named_with_rules divided by sites_counted; null for the agent *
-- column: d3_named_root: sites_d3_named_root divided by sites_counted; null for the agent *
-- column: d4_only_root: sites_d4_only_root divided by sites_counted
-- column: d5_root_no_allow: sites_d5_root_no_allow divided by sites_counted
-- column: d6_one_root_rule: sites_d6_one_root_rule divided by sites_counted
-- column: d7_named_none: sites_d7_named_none divided by sites_counted; null for the agent *
-- column: d8_root: sites_d8_root divided by sites_counted
-- column: d9_any_subdomain: sites_d9_any_subdomain divided by sites_counted
-- column: least: the least of these shares
-- column: greatest: the greatest of these shares
-- column: ratio: greatest divided by least; null if least is 0
-- caveat: docs/definitions.md has the source of each definition, and how this question differs from it.
-- caveat: d1, d2, d3 and d7 count named agents only and do not apply to *. By the other definitions, the wildcard group applies to an agent that is not named.
-- caveat: ratio is the greatest count by any definition that applies, divided by the least. It is null if the least is 0.
WITH chosen_definitions AS (
    SELECT *
    FROM definitions
    WHERE '' IN ($tokens)
        OR agent = '*'
        OR agent IN ($tokens)
),
counted_sites AS (
    SELECT crawl, stratum, weight, class_id, coalesce(url_host_registered_domain, url_host_name) AS domain FROM population
),
counted_strata AS (
    SELECT crawl, stratum, sum(weight) AS sites_counted FROM counted_sites GROUP BY crawl, stratum
),
class_weights AS (
    SELECT crawl, stratum, class_id, sum(weight) AS weight FROM counted_sites GROUP BY crawl, stratum, class_id
),
-- The domain of a site matters only if another site of the domain has another policy class. Few domains have one.
mixed_domains AS (
    SELECT crawl, coalesce(url_host_registered_domain, url_host_name) AS domain
    FROM sites
    GROUP BY crawl, coalesce(url_host_registered_domain, url_host_name)
    HAVING min(class_id) <> max(class_id)
),
-- Such domains with a site whose file blocks the agent. An unreachable site does not count for the rest of its domain.
blocking_domains AS (
    SELECT DISTINCT d.crawl, c.agent, d.domain
    FROM mixed_domains AS d
    JOIN sites AS s ON s.crawl = d.crawl AND coalesce(s.url_host_registered_domain, s.url_host_name) = d.domain
    JOIN chosen_definitions AS c ON c.crawl = s.crawl AND c.class_id = s.class_id
    WHERE c.exact AND s.outcome <> 'unreachable'
),
-- All counted sites of these domains. Grouped, they are far fewer: another engine may join them by the agent alone.
domain_sites AS (
    SELECT b.agent, c.crawl, c.stratum, c.class_id, sum(c.weight) AS weight
    FROM blocking_domains AS b
    JOIN counted_sites AS c ON c.crawl = b.crawl AND c.domain = b.domain
    GROUP BY b.agent, c.crawl, c.stratum, c.class_id
),
neighbours_by_agent AS (
    SELECT d.crawl, d.stratum, d.agent, sum(d.weight) AS weight
    FROM domain_sites AS d
    JOIN chosen_definitions AS c ON c.crawl = d.crawl AND c.class_id = d.class_id AND c.agent = d.agent
    WHERE NOT c.exact
    GROUP BY d.crawl, d.stratum, d.agent
),
blocks_by_agent AS (
    SELECT
        s.crawl,
        s.stratum,
        c.agent,
        sum(CASE WHEN c.exact THEN s.weight ELSE 0 END) AS exact,
        sum(CASE WHEN c.d1_named THEN s.weight ELSE 0 END) AS d1,
        sum(CASE WHEN c.d2_named_with_rules THEN s.weight ELSE 0 END) AS d2,
        sum(CASE WHEN c.d3_named_root THEN s.weight ELSE 0 END) AS d3,
        sum(CASE WHEN c.d4_only_root THEN s.weight ELSE 0 END) AS d4,
        sum(CASE WHEN c.d5_root_no_allow THEN s.weight ELSE 0 END) AS d5,
        sum(CASE WHEN c.d6_one_root_rule THEN s.weight ELSE 0 END) AS d6,
        sum(CASE WHEN c.d7_named_none THEN s.weight ELSE 0 END) AS d7,
        sum(CASE WHEN c.d8_root THEN s.weight ELSE 0 END) AS d8
    FROM class_weights AS s
    JOIN chosen_definitions AS c ON c.crawl = s.crawl AND c.class_id = s.class_id
    GROUP BY s.crawl, s.stratum, c.agent
),
-- The sites of a stratum may all be without a known verdict, so that it has no class here.
definition_sites AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        coalesce(b.exact, 0) AS exact,
        coalesce(b.d1, 0) AS d1,
        coalesce(b.d2, 0) AS d2,
        coalesce(b.d3, 0) AS d3,
        coalesce(b.d4, 0) AS d4,
        coalesce(b.d5, 0) AS d5,
        coalesce(b.d6, 0) AS d6,
        coalesce(b.d7, 0) AS d7,
        coalesce(b.d8, 0) AS d8,
        coalesce(b.exact, 0) + coalesce(n.weight, 0) AS d9
    FROM counted_strata AS s
    JOIN tracked_agents AS t ON t.crawl = s.crawl
    LEFT JOIN blocks_by_agent AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.agent = t.agent
    LEFT JOIN neighbours_by_agent AS n ON n.crawl = s.crawl AND n.stratum = s.stratum AND n.agent = t.agent
    WHERE '' IN ($tokens) OR t.agent = '*' OR t.agent IN ($tokens)
),
agent_totals AS (
    SELECT *, sum(exact) OVER (PARTITION BY agent) AS exact_of_all FROM definition_sites
),
ranked_agents AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, exact_of_all DESC, agent) AS bigint) AS place FROM agent_totals
),
definition_ranges AS (
    SELECT
        r.*,
        s.sites_counted,
        CASE WHEN r.agent = '*'
            THEN least(exact, d4, d5, d6, d8, d9) ELSE least(exact, d1, d2, d3, d4, d5, d6, d7, d8, d9) END AS fewest,
        greatest(exact, d1, d2, d3, d4, d5, d6, d7, d8, d9) AS most
    FROM ranked_agents AS r
    JOIN counted_strata AS s ON s.crawl = r.crawl AND s.stratum = r.stratum
    WHERE r.place - 1 <= $top
)
SELECT
    crawl,
    stratum,
    agent,
    sites_counted,
    exact AS sites_exact,
    CASE WHEN agent <> '*' THEN d1 END AS sites_d1_named,
    CASE WHEN agent <> '*' THEN d2 END AS sites_d2_named_with_rules,
    CASE WHEN agent <> '*' THEN d3 END AS sites_d3_named_root,
    d4 AS sites_d4_only_root,
    d5 AS sites_d5_root_no_allow,
    d6 AS sites_d6_one_root_rule,
    CASE WHEN agent <> '*' THEN d7 END AS sites_d7_named_none,
    d8 AS sites_d8_root,
    d9 AS sites_d9_any_subdomain,
    CAST(exact AS double) / nullif(sites_counted, 0) AS exact,
    CASE WHEN agent <> '*' THEN CAST(d1 AS double) / nullif(sites_counted, 0) END AS d1_named,
    CASE WHEN agent <> '*' THEN CAST(d2 AS double) / nullif(sites_counted, 0) END AS d2_named_with_rules,
    CASE WHEN agent <> '*' THEN CAST(d3 AS double) / nullif(sites_counted, 0) END AS d3_named_root,
    CAST(d4 AS double) / nullif(sites_counted, 0) AS d4_only_root,
    CAST(d5 AS double) / nullif(sites_counted, 0) AS d5_root_no_allow,
    CAST(d6 AS double) / nullif(sites_counted, 0) AS d6_one_root_rule,
    CASE WHEN agent <> '*' THEN CAST(d7 AS double) / nullif(sites_counted, 0) END AS d7_named_none,
    CAST(d8 AS double) / nullif(sites_counted, 0) AS d8_root,
    CAST(d9 AS double) / nullif(sites_counted, 0) AS d9_any_subdomain,
    CAST(fewest AS double) / nullif(sites_counted, 0) AS least,
    CAST(most AS double) / nullif(sites_counted, 0) AS greatest,
    CAST(most AS double) / nullif(fewest, 0) AS ratio
FROM definition_ranges AS r
ORDER BY crawl, stratum, r.exact DESC, agent
