-- title: Verdicts that change at 500 KiB
-- id: B03
-- question: On how many sites does an agent get another verdict from the first 500 KiB of robots.txt than from the whole file?
-- grain: one row per crawl, stratum and tracked agent that a file beyond the limit names, most changes first; * is every crawler that a file does not name
-- reads: population, bodies, policies, agents
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- parameter: top count = 20, agents: how many agents per crawl and stratum
-- parameter: denominator = answered
-- column: sites_changed: sites where the first 500 KiB give another verdict on /, or another access (all, part, none), than the whole file
-- column: sites_losing_rules: sites whose rules for the agent do not all end within the first 500 KiB
-- column: sites_gaining_root: sites that disallow /, but allow it by the first 500 KiB
-- column: sites_losing_root: sites that allow /, but disallow it by the first 500 KiB
-- column: sites_gaining_all: sites that disallow some path, but none by the first 500 KiB
-- column: share_changed: sites_changed divided by sites_counted
-- column: share_root_changed: the sum of sites_gaining_root and sites_losing_root, divided by sites_counted
-- column: share_losing_rules: sites_losing_rules divided by sites_counted
-- caveat: By RFC 9309 section 2.5 crawlers read at least 500 KiB, 512,000 bytes. All tables judge by the whole file. This question also judges by the rules and user-agent lines that end within 512,000 bytes.
-- caveat: sites_losing_rules have rules beyond the limit that apply to the agent. With the limit, sites_gaining_root allow the path / and sites_losing_root disallow it, unlike without. sites_gaining_all disallow a path, but none within the limit. sites_changed are those where the verdict on / changes, or whether the agent is allowed, partly blocked or blocked. Sites where only the verdict on other paths changes are not counted.
-- caveat: Archives cut long bodies; those of Common Crawl did so at 1 MiB for many years. Rules beyond the cut are not known.
WITH long_bodies AS (
    SELECT crawl, body_id FROM bodies WHERE exceeds_500_kib
),
chosen_agents AS (
    SELECT '*' AS agent
    UNION
    SELECT token AS agent FROM agents WHERE tracked AND ('' IN ($tokens) OR token IN ($tokens))
),
-- All sites whose files end before the limit are one row.
sites_by_body AS (
    SELECT p.crawl, p.stratum, b.body_id, sum(p.weight) AS sites
    FROM population AS p
    LEFT JOIN long_bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, b.body_id
),
-- The verdicts of long files of these sites on the agents that they name, and on * for all others.
named_verdicts AS (
    SELECT
        b.crawl,
        b.body_id,
        p.token AS agent,
        p.rules_beyond_500_kib AS rules_lost,
        p.root_allowed,
        p.root_allowed_within_500_kib AS root_allowed_by_kept,
        p.access,
        p.access_within_500_kib AS access_by_kept
    FROM (SELECT DISTINCT crawl, body_id FROM sites_by_body WHERE body_id IS NOT NULL) AS b
    JOIN policies AS p ON p.crawl = b.crawl AND p.body_id = b.body_id
    WHERE p.token IN (SELECT agent FROM chosen_agents)
),
-- An agent that no long file names has the verdict of *.
named_agents AS (
    SELECT DISTINCT crawl, agent FROM named_verdicts WHERE agent <> '*'
    UNION ALL
    SELECT DISTINCT crawl, '*' AS agent FROM population
),
agent_verdicts AS (
    SELECT * FROM named_verdicts
    UNION ALL
    SELECT o.crawl, o.body_id, t.agent, o.rules_lost, o.root_allowed, o.root_allowed_by_kept, o.access, o.access_by_kept
    FROM named_verdicts AS o
    JOIN named_agents AS t ON t.crawl = o.crawl
    WHERE o.agent = '*'
        AND NOT EXISTS (SELECT 1 FROM named_verdicts AS n WHERE n.crawl = o.crawl AND n.body_id = o.body_id AND n.agent = t.agent)
),
agent_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        sum(CASE WHEN a.root_allowed <> a.root_allowed_by_kept OR a.access <> a.access_by_kept THEN s.sites ELSE 0 END) AS sites_changed,
        sum(CASE WHEN a.rules_lost > 0 THEN s.sites ELSE 0 END) AS sites_losing_rules,
        sum(CASE WHEN NOT a.root_allowed AND a.root_allowed_by_kept THEN s.sites ELSE 0 END) AS sites_gaining_root,
        sum(CASE WHEN a.root_allowed AND NOT a.root_allowed_by_kept THEN s.sites ELSE 0 END) AS sites_losing_root,
        sum(CASE WHEN a.access <> 'all' AND a.access_by_kept = 'all' THEN s.sites ELSE 0 END) AS sites_gaining_all,
        sum(s.sites) AS sites_counted
    FROM named_agents AS t
    JOIN sites_by_body AS s ON s.crawl = t.crawl
    LEFT JOIN agent_verdicts AS a ON a.crawl = s.crawl AND a.body_id = s.body_id AND a.agent = t.agent
    GROUP BY s.crawl, s.stratum, t.agent
),
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum
            ORDER BY
                sites_changed DESC,
                sites_losing_rules DESC,
                agent
        ) AS bigint) AS place
    FROM agent_totals
)
SELECT
    crawl,
    stratum,
    place,
    agent,
    sites_changed,
    sites_losing_rules,
    sites_gaining_root,
    sites_losing_root,
    sites_gaining_all,
    sites_counted,
    CAST(sites_changed AS double) / nullif(sites_counted, 0) AS share_changed,
    CAST(sites_gaining_root + sites_losing_root AS double) / nullif(sites_counted, 0) AS share_root_changed,
    CAST(sites_losing_rules AS double) / nullif(sites_counted, 0) AS share_losing_rules
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, place
