-- title: Agents blocked, by ten definitions
-- id: D05
-- question: How far does the share of sites that block an agent move with what is called blocked?
-- grain: one row per crawl, stratum and agent
-- reads: population, site_access, sites
-- parameter: tokens agents = 'GPTBot, CCBot, ClaudeBot, Google-Extended, ChatGPT-User, Bytespider, Amazonbot, PerplexityBot, Applebot-Extended, meta-externalagent, anthropic-ai, Googlebot, bingbot', tokens: which agents, with commas or blanks between them, and the star besides; all that are tracked if none is said
-- parameter: top integer = 50, agents: how many of them, the most blocked first and the star besides
-- chart: heat map x=definition y=agent
-- caveat: docs/definitions.md says whose each definition is, and where it has to differ from theirs
-- caveat: d1, d2, d3 and d7 ask for the name, the others let the star decide where there is none; of the star itself the four say nothing
-- caveat: ratio is of the greatest to the least definition that is not zero
WITH asked AS (
    SELECT *
    FROM site_access
    WHERE access IS NOT NULL
        AND ('' IN ($tokens)
            OR agent = '*'
            OR agent IN ($tokens))
),
refusing AS (
    SELECT DISTINCT a.crawl, a.agent, coalesce(s.url_host_registered_domain, s.url_host_name) AS domain
    FROM asked AS a
    JOIN sites AS s ON s.crawl = a.crawl AND s.site_id = a.site_id
    WHERE a.access = 'none' AND s.outcome <> 'unreachable'
),
counted AS (
    SELECT crawl, stratum, sum(weight) AS sites_counted FROM population GROUP BY crawl, stratum
),
said AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        coalesce(p.url_host_registered_domain, p.url_host_name) AS domain,
        a.agent,
        a.match_kind,
        a.access,
        a.root_allowed,
        a.allow_rules,
        a.disallow_rules,
        a.has_disallow_root,
        a.is_only_disallow_root
    FROM population AS p
    JOIN asked AS a ON a.crawl = p.crawl AND a.site_id = p.site_id
),
-- The few stand first: what stands there is kept in memory.
told AS (
    SELECT
        s.crawl,
        s.stratum,
        s.agent,
        sum(CASE WHEN s.access = 'none' THEN s.weight ELSE 0 END) AS exact,
        sum(CASE WHEN s.match_kind = 'explicit' THEN s.weight ELSE 0 END) AS d1,
        sum(CASE WHEN s.match_kind = 'explicit' AND s.allow_rules + s.disallow_rules > 0 THEN s.weight ELSE 0 END) AS d2,
        sum(CASE WHEN s.match_kind = 'explicit' AND s.has_disallow_root THEN s.weight ELSE 0 END) AS d3,
        sum(CASE WHEN s.is_only_disallow_root THEN s.weight ELSE 0 END) AS d4,
        sum(CASE WHEN s.has_disallow_root AND s.allow_rules = 0 THEN s.weight ELSE 0 END) AS d5,
        sum(CASE WHEN s.allow_rules = 0 AND s.disallow_rules = 1 AND s.access = 'none' THEN s.weight ELSE 0 END) AS d6,
        sum(CASE WHEN s.match_kind = 'explicit' AND s.access = 'none' THEN s.weight ELSE 0 END) AS d7,
        sum(CASE WHEN NOT s.root_allowed THEN s.weight ELSE 0 END) AS d8,
        sum(CASE WHEN s.access = 'none' OR r.agent IS NOT NULL THEN s.weight ELSE 0 END) AS d9
    FROM refusing AS r
    RIGHT JOIN said AS s ON s.crawl = r.crawl AND s.agent = r.agent AND s.domain = r.domain
    GROUP BY s.crawl, s.stratum, s.agent
),
summed AS (
    SELECT *, sum(exact) OVER (PARTITION BY agent) AS exact_of_all FROM told
),
placed AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY CASE agent WHEN '*' THEN 0 ELSE 1 END, exact_of_all DESC, agent) AS bigint) AS place FROM summed
),
ranged AS (
    SELECT
        t.*,
        c.sites_counted,
        CASE WHEN t.agent = '*'
            THEN least(exact, d4, d5, d6, d8, d9) ELSE least(exact, d1, d2, d3, d4, d5, d6, d7, d8, d9) END AS fewest,
        greatest(exact, d1, d2, d3, d4, d5, d6, d7, d8, d9) AS most
    FROM placed AS t
    JOIN counted AS c ON c.crawl = t.crawl AND c.stratum = t.stratum
    WHERE t.place <= $top + 1
)
SELECT
    crawl,
    stratum,
    agent,
    sites_counted,
    exact AS sites_exact,
    d1 AS sites_d1_named,
    d2 AS sites_d2_named_with_rules,
    d3 AS sites_d3_named_root,
    d4 AS sites_d4_only_root,
    d5 AS sites_d5_root_no_allow,
    d6 AS sites_d6_one_root_rule,
    d7 AS sites_d7_named_none,
    d8 AS sites_d8_root,
    d9 AS sites_d9_any_subdomain,
    exact / nullif(sites_counted, 0) AS exact,
    d1 / nullif(sites_counted, 0) AS d1_named,
    d2 / nullif(sites_counted, 0) AS d2_named_with_rules,
    d3 / nullif(sites_counted, 0) AS d3_named_root,
    d4 / nullif(sites_counted, 0) AS d4_only_root,
    d5 / nullif(sites_counted, 0) AS d5_root_no_allow,
    d6 / nullif(sites_counted, 0) AS d6_one_root_rule,
    d7 / nullif(sites_counted, 0) AS d7_named_none,
    d8 / nullif(sites_counted, 0) AS d8_root,
    d9 / nullif(sites_counted, 0) AS d9_any_subdomain,
    fewest / nullif(sites_counted, 0) AS least,
    most / nullif(sites_counted, 0) AS greatest,
    most / nullif(fewest, 0) AS ratio
FROM ranged
ORDER BY crawl, stratum, sites_exact DESC, agent
