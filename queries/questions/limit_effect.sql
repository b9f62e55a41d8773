-- title: Verdicts that change at 500 KiB
-- id: B03
-- question: At how many sites does an agent get another verdict from the first 500 KiB of robots.txt than from the whole file?
-- grain: one row per crawl, stratum and tracked agent, most changes first; * is every crawler that is not named
-- reads: population, rules, groups, policies, agents
-- parameter: top integer = 20, agents: how many agents per crawl and stratum
-- parameter: denominator one of rules read answered decided all = answered, sites: which sites are counted, as in population
-- caveat: By RFC 9309 section 2.5 crawlers read at least 500 KiB, 512,000 bytes. All tables judge by the whole file. Here only rules that end within 512,000 bytes are kept, and user-agent lines before the first rule that does not. A user-agent line that the limit cuts is kept.
-- caveat: sites_losing_rules have rules beyond the limit that hold for the agent. sites_root_opened and sites_root_closed change their verdict on /. sites_all_opened disallow something, but nothing within the limit. Sites where only other paths change are not counted.
-- caveat: Archives cut long bodies, those of Common Crawl for many years at 1 MiB. Rules beyond that are not known.
WITH first_lost_rules AS (
    SELECT crawl, body_id, min(line_no) AS line_no
    FROM rules
    WHERE beyond_500_kib
    GROUP BY crawl, body_id
),
-- The smaller side of a join comes first, here and below: it is kept in memory.
long_body_rules AS (
    SELECT
        r.crawl,
        r.body_id,
        r.group_no,
        r.beyond_500_kib,
        r.allow,
        r.octets,
        r.matches_root
    FROM first_lost_rules AS f
    JOIN rules AS r ON r.crawl = f.crawl AND r.body_id = f.body_id
    WHERE r.group_no IS NOT NULL
),
kept_group_rules AS (
    SELECT
        crawl,
        body_id,
        group_no,
        sum(CASE WHEN beyond_500_kib THEN 1 ELSE 0 END) AS rules_lost,
        sum(CASE WHEN NOT beyond_500_kib AND NOT allow AND octets > 0 THEN 1 ELSE 0 END) AS disallows_kept,
        max(CASE WHEN NOT beyond_500_kib AND allow AND matches_root THEN octets ELSE 0 END) AS allow_octets,
        max(CASE WHEN NOT beyond_500_kib AND NOT allow AND matches_root THEN octets ELSE 0 END) AS disallow_octets
    FROM long_body_rules
    GROUP BY crawl, body_id, group_no
),
group_tokens AS (
    SELECT
        g.crawl,
        g.body_id,
        g.token,
        g.group_no,
        max(CASE WHEN g.line_no < f.line_no THEN 1 ELSE 0 END) AS is_kept
    FROM first_lost_rules AS f
    JOIN groups AS g ON g.crawl = f.crawl AND g.body_id = f.body_id
    GROUP BY g.crawl, g.body_id, g.token, g.group_no
),
kept_token_rules AS (
    SELECT
        g.crawl,
        g.body_id,
        g.token,
        max(g.is_kept) AS is_kept,
        sum(coalesce(k.rules_lost, 0)) AS rules_lost,
        sum(coalesce(k.disallows_kept, 0)) AS disallows_kept,
        max(coalesce(k.allow_octets, 0)) >= max(coalesce(k.disallow_octets, 0)) AS root_kept
    FROM group_tokens AS g
    LEFT JOIN kept_group_rules AS k ON k.crawl = g.crawl AND k.body_id = g.body_id AND k.group_no = g.group_no
    GROUP BY g.crawl, g.body_id, g.token
),
tracked_agents AS (
    SELECT '*' AS agent
    UNION
    SELECT lower(token) AS agent FROM agents WHERE tracked
),
-- The groups that name an agent hold, else the wildcard group: once in the whole file, once in the kept part.
agent_policies AS (
    SELECT
        k.crawl,
        k.body_id,
        t.agent,
        k.is_kept,
        k.rules_lost,
        k.disallows_kept,
        k.root_kept,
        p.root_allowed,
        p.access,
        CAST(row_number() OVER (
            PARTITION BY k.crawl, k.body_id, t.agent
            ORDER BY CASE WHEN k.token = t.agent THEN 0 ELSE 1 END
        ) AS bigint) AS place,
        CAST(row_number() OVER (
            PARTITION BY k.crawl, k.body_id, t.agent
            ORDER BY k.is_kept DESC, CASE WHEN k.token = t.agent THEN 0 ELSE 1 END
        ) AS bigint) AS place_kept
    FROM kept_token_rules AS k
    JOIN policies AS p ON p.crawl = k.crawl AND p.body_id = k.body_id AND p.token = k.token
    JOIN tracked_agents AS t ON k.token = t.agent OR k.token = '*'
),
agent_verdicts AS (
    SELECT
        crawl,
        body_id,
        agent,
        sum(CASE WHEN place = 1 THEN rules_lost ELSE 0 END) AS rules_lost,
        max(CASE WHEN place = 1 AND NOT root_allowed THEN 1 ELSE 0 END) AS root_refused,
        max(CASE WHEN place_kept = 1 AND is_kept = 1 AND NOT root_kept THEN 1 ELSE 0 END) AS root_refused_by_kept,
        max(CASE WHEN place = 1 AND access <> 'all' THEN 1 ELSE 0 END) AS is_limited,
        sum(CASE WHEN place_kept = 1 AND is_kept = 1 THEN disallows_kept ELSE 0 END) AS disallows_kept
    FROM agent_policies
    GROUP BY crawl, body_id, agent
),
-- All sites without rules beyond the limit are one row.
sites_by_body AS (
    SELECT p.crawl, p.stratum, f.body_id, sum(p.weight) AS sites
    FROM population AS p
    LEFT JOIN first_lost_rules AS f ON f.crawl = p.crawl AND f.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, f.body_id
),
agent_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.agent,
        sum(CASE WHEN a.rules_lost > 0 THEN s.sites ELSE 0 END) AS sites_losing_rules,
        sum(CASE WHEN a.root_refused > a.root_refused_by_kept THEN s.sites ELSE 0 END) AS sites_root_opened,
        sum(CASE WHEN a.root_refused < a.root_refused_by_kept THEN s.sites ELSE 0 END) AS sites_root_closed,
        sum(CASE WHEN a.is_limited = 1 AND a.disallows_kept = 0 THEN s.sites ELSE 0 END) AS sites_all_opened,
        sum(s.sites) AS sites_counted
    FROM tracked_agents AS t
    CROSS JOIN sites_by_body AS s
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
                round(sites_root_opened + sites_root_closed, 6) DESC,
                round(sites_all_opened, 6) DESC,
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
    sites_losing_rules,
    sites_root_opened,
    sites_root_closed,
    sites_all_opened,
    sites_counted,
    (sites_root_opened + sites_root_closed) / nullif(sites_counted, 0) AS share_root_changed,
    sites_losing_rules / nullif(sites_counted, 0) AS share_losing_rules
FROM ranked_agents
WHERE place <= $top
ORDER BY crawl, stratum, place
