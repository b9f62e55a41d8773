-- title: Verdicts that change at 500 KiB
-- id: B03
-- question: On how many sites does an agent get another verdict from the first 500 KiB of robots.txt than from the whole file?
-- grain: one row per crawl, stratum and tracked agent that a file with rules beyond the limit names, most changes first; * is every crawler that a file does not name
-- reads: population, bodies, site_classes, class_access, policies, agents
-- parameter: tokens = '': which agents, separated by commas or blanks, and * besides; default: all tracked agents
-- parameter: top count = 20, agents: how many agents per crawl and stratum
-- parameter: denominator = answered
-- caveat: By RFC 9309 section 2.5 crawlers read at least 500 KiB, 512,000 bytes. All tables judge by the whole file. This question also judges by the rules that end within 512,000 bytes, and by the user-agent lines before the first rule that does not. A user-agent line that the limit cuts is kept.
-- caveat: sites_losing_rules have rules beyond the limit that apply to the agent. On sites_root_opened / becomes allowed, on sites_root_closed blocked. sites_all_opened disallow a path, but none within the limit. On sites_changed the verdict on / changes, or whether the agent is allowed, partly blocked or blocked. Sites where only the verdict on other paths changes are not counted.
-- caveat: Archives cut long bodies; those of Common Crawl did so at 1 MiB for many years. Rules beyond the cut are not known.
WITH long_bodies AS (
    SELECT crawl, body_id FROM bodies WHERE rules_beyond_500_kib > 0
),
chosen_agents AS (
    SELECT '*' AS agent
    UNION
    SELECT lower(token) AS agent FROM agents WHERE tracked AND ('' IN ($tokens) OR lower(token) IN ($tokens))
),
-- All sites with the same body have the same policy class.
body_classes AS (
    SELECT DISTINCT b.crawl, b.body_id, c.class_id
    FROM long_bodies AS b
    JOIN population AS p ON p.crawl = b.crawl AND p.body_id = b.body_id
    JOIN site_classes AS c ON c.crawl = p.crawl AND c.site_id = p.site_id
),
class_policies AS (
    SELECT crawl, class_id, agent, match_kind, policy_token
    FROM class_access
    WHERE agent IN (SELECT agent FROM chosen_agents)
        AND class_id IN (SELECT class_id FROM body_classes)
),
body_policies AS (
    SELECT b.crawl, b.body_id, a.agent, a.match_kind, a.policy_token
    FROM body_classes AS b
    JOIN class_policies AS a ON a.crawl = b.crawl AND a.class_id = b.class_id
),
-- An agent that no long file names has the verdict of *.
named_agents AS (
    SELECT DISTINCT crawl, agent FROM body_policies WHERE match_kind = 'explicit'
    UNION ALL
    SELECT DISTINCT crawl, '*' AS agent FROM population
),
agent_verdicts AS (
    SELECT
        b.crawl,
        b.body_id,
        b.agent,
        p.rules_beyond_500_kib AS rules_lost,
        p.root_allowed,
        p.root_allowed_within_500_kib AS root_allowed_by_kept,
        p.access,
        p.access_within_500_kib AS access_by_kept
    FROM body_policies AS b
    JOIN policies AS p ON p.crawl = b.crawl AND p.body_id = b.body_id AND p.token = b.policy_token
),
-- All sites without rules beyond the limit are one row.
sites_by_body AS (
    SELECT p.crawl, p.stratum, b.body_id, sum(p.weight) AS sites
    FROM population AS p
    LEFT JOIN long_bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, b.body_id
),
agent_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        sum(CASE WHEN a.root_allowed <> a.root_allowed_by_kept OR a.access <> a.access_by_kept THEN s.sites ELSE 0 END) AS sites_changed,
        sum(CASE WHEN a.rules_lost > 0 THEN s.sites ELSE 0 END) AS sites_losing_rules,
        sum(CASE WHEN NOT a.root_allowed AND a.root_allowed_by_kept THEN s.sites ELSE 0 END) AS sites_root_opened,
        sum(CASE WHEN a.root_allowed AND NOT a.root_allowed_by_kept THEN s.sites ELSE 0 END) AS sites_root_closed,
        sum(CASE WHEN a.access <> 'all' AND a.access_by_kept = 'all' THEN s.sites ELSE 0 END) AS sites_all_opened,
        sum(s.sites) AS sites_counted
    FROM named_agents AS t
    JOIN sites_by_body AS s ON s.crawl = t.crawl
    LEFT JOIN agent_verdicts AS a ON a.crawl = s.crawl AND a.body_id = s.body_id AND a.agent = t.agent
    GROUP BY s.crawl, s.stratum, t.agent
),
-- Sums of fractional weights differ in their last digits from run to run. The order must not.
ranked_agents AS (
    SELECT
        *,
        CAST(row_number() OVER (
            PARTITION BY crawl, stratum
            ORDER BY
                round(sites_changed, 6) DESC,
                round(sites_losing_rules, 6) DESC,
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
    sites_root_opened,
    sites_root_closed,
    sites_all_opened,
    sites_counted,
    CAST(sites_changed AS double) / nullif(sites_counted, 0) AS share_changed,
    CAST(sites_root_opened + sites_root_closed AS double) / nullif(sites_counted, 0) AS share_root_changed,
    CAST(sites_losing_rules AS double) / nullif(sites_counted, 0) AS share_losing_rules
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, place
