-- title: Rule sets by the classes of Common Crawl's experiments
-- id: D03
-- question: How many sites have a rule set that disallows all, allows all or allows a part, for each agent and for the wildcard group?
-- grain: one row per crawl, stratum and agent
-- reads: stratum_bodies, strata, policies, agents
-- parameter: denominator = rules
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- column: denominator: the value of --denominator
-- column: sites_disallow_all: sites with a rule set for the agent by name that is disallow-all
-- column: sites_allow_part: sites with a rule set for the agent by name that is allow-part
-- column: sites_allow_all: sites with a rule set for the agent by name that is allow-all
-- column: sites_with_wildcard_disallow_all: sites where the agent's own rule set, or the wildcard group's if it has none, is disallow-all
-- column: sites_with_wildcard_allow_part: sites where the agent's own rule set, or the wildcard group's if it has none, is allow-part
-- column: sites_with_wildcard_allow_all: sites where the agent's own rule set, or the wildcard group's if it has none, is allow-all
-- column: share_disallow_all: sites_disallow_all divided by sites_counted
-- column: share_allow_part: sites_allow_part divided by sites_counted
-- column: share_allow_all: sites_allow_all divided by sites_counted
-- column: share_with_wildcard_disallow_all: sites_with_wildcard_disallow_all divided by sites_counted
-- column: share_with_wildcard_allow_part: sites_with_wildcard_allow_part divided by sites_counted
-- column: share_with_wildcard_allow_all: sites_with_wildcard_allow_all divided by sites_counted
-- caveat: disallow-all is a single rule, Disallow: /. allow-all is a single rule: an empty disallow line, or an allow line that is empty or has the path /, * or /*. Everything else is allow-part, even a repeated line.
-- caveat: An agent that is named without a rule has no rule set in the experiments, so the wildcard group applies to it. By RFC 9309 it may fetch all paths.
-- caveat: Here several groups of one agent are merged, and all agents of a group share its rules. The code of the experiments does neither.
WITH chosen_agents AS (
    SELECT '*' AS agent
    UNION
    SELECT token AS agent
    FROM agents
    WHERE tracked
        AND ('' IN ($tokens) OR token IN ($tokens))
),
rule_sets AS (
    SELECT
        crawl,
        body_id,
        token,
        CASE
            WHEN allow_rules + disallow_rules > 1 THEN 'allow-part'
            WHEN is_only_disallow_root THEN 'disallow-all'
            WHEN is_only_allow_all THEN 'allow-all'
            ELSE 'allow-part'
        END AS class
    FROM policies
    WHERE allow_rules + disallow_rules > 0 AND token IN (SELECT agent FROM chosen_agents)
),
weighted_rule_sets AS (
    SELECT s.crawl, s.stratum, s.body_id, s.weight, r.token, r.class
    FROM stratum_bodies AS s
    JOIN rule_sets AS r ON r.crawl = s.crawl AND r.body_id = s.body_id
),
wildcard_rule_sets AS (
    SELECT crawl, stratum, class, sum(weight) AS sites
    FROM weighted_rule_sets
    WHERE token = '*'
    GROUP BY crawl, stratum, class
),
agent_rule_sets AS (
    SELECT w.crawl, w.stratum, w.token AS agent, w.class, s.class AS star_class, sum(w.weight) AS sites
    FROM (SELECT crawl, body_id, class FROM rule_sets WHERE token = '*') AS s
    RIGHT JOIN weighted_rule_sets AS w ON w.crawl = s.crawl AND w.body_id = s.body_id
    GROUP BY w.crawl, w.stratum, w.token, w.class, s.class
),
agent_totals AS (
    SELECT
        crawl,
        stratum,
        agent,
        sum(CASE class WHEN 'disallow-all' THEN sites ELSE 0 END) AS sites_disallow_all,
        sum(CASE class WHEN 'allow-part' THEN sites ELSE 0 END) AS sites_allow_part,
        sum(CASE class WHEN 'allow-all' THEN sites ELSE 0 END) AS sites_allow_all,
        sum(CASE star_class WHEN 'disallow-all' THEN sites ELSE 0 END) AS wildcard_disallow_all,
        sum(CASE star_class WHEN 'allow-part' THEN sites ELSE 0 END) AS wildcard_allow_part,
        sum(CASE star_class WHEN 'allow-all' THEN sites ELSE 0 END) AS wildcard_allow_all
    FROM agent_rule_sets
    GROUP BY crawl, stratum, agent
),
wildcard_totals AS (
    SELECT
        crawl,
        stratum,
        sum(CASE class WHEN 'disallow-all' THEN sites ELSE 0 END) AS disallow_all,
        sum(CASE class WHEN 'allow-part' THEN sites ELSE 0 END) AS allow_part,
        sum(CASE class WHEN 'allow-all' THEN sites ELSE 0 END) AS allow_all
    FROM wildcard_rule_sets
    GROUP BY crawl, stratum
),
-- with_wildcard: sites where the wildcard group applies to the agent, plus sites with a rule set of the agent's own.
class_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        $denominator AS denominator,
        s.sites_counted,
        c.agent,
        coalesce(a.sites_disallow_all, 0) AS sites_disallow_all,
        coalesce(a.sites_allow_part, 0) AS sites_allow_part,
        coalesce(a.sites_allow_all, 0) AS sites_allow_all,
        coalesce(a.sites_disallow_all, 0) + coalesce(t.disallow_all, 0) - coalesce(a.wildcard_disallow_all, 0) AS with_wildcard_disallow_all,
        coalesce(a.sites_allow_part, 0) + coalesce(t.allow_part, 0) - coalesce(a.wildcard_allow_part, 0) AS with_wildcard_allow_part,
        coalesce(a.sites_allow_all, 0) + coalesce(t.allow_all, 0) - coalesce(a.wildcard_allow_all, 0) AS with_wildcard_allow_all
    FROM strata AS s
    CROSS JOIN chosen_agents AS c
    LEFT JOIN agent_totals AS a ON a.crawl = s.crawl AND a.stratum = s.stratum AND a.agent = c.agent
    LEFT JOIN wildcard_totals AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
)
SELECT
    crawl,
    stratum,
    agent,
    denominator,
    sites_counted,
    sites_disallow_all,
    sites_allow_part,
    sites_allow_all,
    with_wildcard_disallow_all AS sites_with_wildcard_disallow_all,
    with_wildcard_allow_part AS sites_with_wildcard_allow_part,
    with_wildcard_allow_all AS sites_with_wildcard_allow_all,
    CAST(sites_disallow_all AS double) / nullif(sites_counted, 0) AS share_disallow_all,
    CAST(sites_allow_part AS double) / nullif(sites_counted, 0) AS share_allow_part,
    CAST(sites_allow_all AS double) / nullif(sites_counted, 0) AS share_allow_all,
    CAST(with_wildcard_disallow_all AS double) / nullif(sites_counted, 0) AS share_with_wildcard_disallow_all,
    CAST(with_wildcard_allow_part AS double) / nullif(sites_counted, 0) AS share_with_wildcard_allow_part,
    CAST(with_wildcard_allow_all AS double) / nullif(sites_counted, 0) AS share_with_wildcard_allow_all
FROM class_totals
ORDER BY crawl, stratum, sites_disallow_all DESC, with_wildcard_disallow_all DESC, agent
