-- title: Rule sets by the classes of Common Crawl's experiments
-- id: D03
-- question: How many files hold a rule set that disallows all, allows all or allows a part, for each agent and for the star?
-- grain: one row per crawl, stratum and agent
-- reads: stratum_bodies, strata, policies, groups, rules, agents
-- parameter: denominator one of rules read answered decided all = rules, sites: which are counted: with rules; whose file was read; also those without a file (4xx), which allow all; also those that cannot be reached, which refuse all; also those whose redirects end nowhere
-- parameter: tokens agents = '', tokens: which agents, with commas or blanks between them, and the star besides; those tracked if none is said
-- caveat: disallow-all is one rule that says Disallow: / and nothing else, allow-all one rule that is an empty disallow line or an allow line that is empty or says /, * or /*; all else is allow-part, also the same line twice
-- caveat: an agent that is named without a rule of its own has no rule set there, and falls back to the star's; by RFC 9309 it may fetch all
-- caveat: groups of one agent are merged here and agents of one group share its rules, which the code of the experiments does not do
WITH asked AS (
    SELECT '*' AS agent
    UNION
    SELECT lower(token) AS agent
    FROM agents
    WHERE tracked
        AND ('' IN ($tokens) OR lower(token) IN ($tokens))
),
-- Groups with a rule that allows all if there is no other.
open_group AS (
    SELECT DISTINCT crawl, body_id, group_no
    FROM rules
    WHERE pattern = '' OR allow AND pattern IN ('/', '*', '/*')
),
open_token AS (
    SELECT DISTINCT g.crawl, g.body_id, g.token
    FROM groups AS g
    JOIN open_group AS o ON o.crawl = g.crawl AND o.body_id = g.body_id AND o.group_no = g.group_no
    WHERE g.token IN (SELECT agent FROM asked)
),
rule_set AS (
    SELECT
        p.crawl,
        p.body_id,
        p.token,
        CASE
            WHEN p.allow_rules + p.disallow_rules > 1 THEN 'allow-part'
            WHEN p.is_only_disallow_root THEN 'disallow-all'
            WHEN o.token IS NOT NULL THEN 'allow-all'
            ELSE 'allow-part'
        END AS class
    FROM policies AS p
    LEFT JOIN open_token AS o ON o.crawl = p.crawl AND o.body_id = p.body_id AND o.token = p.token
    WHERE p.allow_rules + p.disallow_rules > 0 AND p.token IN (SELECT agent FROM asked)
),
star AS (
    SELECT h.crawl, h.stratum, r.class, sum(h.weight) AS sites
    FROM stratum_bodies AS h
    JOIN rule_set AS r ON r.crawl = h.crawl AND r.body_id = h.body_id
    WHERE r.token = '*'
    GROUP BY h.crawl, h.stratum, r.class
),
named AS (
    SELECT h.crawl, h.stratum, r.token AS agent, r.class, s.class AS star_class, sum(h.weight) AS sites
    FROM stratum_bodies AS h
    JOIN rule_set AS r ON r.crawl = h.crawl AND r.body_id = h.body_id
    LEFT JOIN (SELECT crawl, body_id, class FROM rule_set WHERE token = '*') AS s
        ON s.crawl = h.crawl AND s.body_id = h.body_id
    GROUP BY h.crawl, h.stratum, r.token, r.class, s.class
),
own AS (
    SELECT
        crawl,
        stratum,
        agent,
        sum(CASE class WHEN 'disallow-all' THEN sites ELSE 0 END) AS sites_disallow_all,
        sum(CASE class WHEN 'allow-part' THEN sites ELSE 0 END) AS sites_allow_part,
        sum(CASE class WHEN 'allow-all' THEN sites ELSE 0 END) AS sites_allow_all,
        sum(CASE star_class WHEN 'disallow-all' THEN sites ELSE 0 END) AS star_disallow_all,
        sum(CASE star_class WHEN 'allow-part' THEN sites ELSE 0 END) AS star_allow_part,
        sum(CASE star_class WHEN 'allow-all' THEN sites ELSE 0 END) AS star_allow_all
    FROM named
    GROUP BY crawl, stratum, agent
),
star_sites AS (
    SELECT
        crawl,
        stratum,
        sum(CASE class WHEN 'disallow-all' THEN sites ELSE 0 END) AS disallow_all,
        sum(CASE class WHEN 'allow-part' THEN sites ELSE 0 END) AS allow_part,
        sum(CASE class WHEN 'allow-all' THEN sites ELSE 0 END) AS allow_all
    FROM star
    GROUP BY crawl, stratum
),
-- With the star to fall back to: its sites, those aside that have a rule set for the agent.
summed AS (
    SELECT
        c.crawl,
        c.stratum,
        $denominator AS denominator,
        c.sites_counted,
        a.agent,
        coalesce(o.sites_disallow_all, 0) AS sites_disallow_all,
        coalesce(o.sites_allow_part, 0) AS sites_allow_part,
        coalesce(o.sites_allow_all, 0) AS sites_allow_all,
        coalesce(o.sites_disallow_all, 0) + coalesce(s.disallow_all, 0) - coalesce(o.star_disallow_all, 0) AS with_star_disallow_all,
        coalesce(o.sites_allow_part, 0) + coalesce(s.allow_part, 0) - coalesce(o.star_allow_part, 0) AS with_star_allow_part,
        coalesce(o.sites_allow_all, 0) + coalesce(s.allow_all, 0) - coalesce(o.star_allow_all, 0) AS with_star_allow_all
    FROM strata AS c
    CROSS JOIN asked AS a
    LEFT JOIN own AS o ON o.crawl = c.crawl AND o.stratum = c.stratum AND o.agent = a.agent
    LEFT JOIN star_sites AS s ON s.crawl = c.crawl AND s.stratum = c.stratum
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
    with_star_disallow_all AS sites_with_star_disallow_all,
    with_star_allow_part AS sites_with_star_allow_part,
    with_star_allow_all AS sites_with_star_allow_all,
    sites_disallow_all / nullif(sites_counted, 0) AS share_disallow_all,
    sites_allow_part / nullif(sites_counted, 0) AS share_allow_part,
    sites_allow_all / nullif(sites_counted, 0) AS share_allow_all,
    with_star_disallow_all / nullif(sites_counted, 0) AS share_with_star_disallow_all,
    with_star_allow_part / nullif(sites_counted, 0) AS share_with_star_allow_part,
    with_star_allow_all / nullif(sites_counted, 0) AS share_with_star_allow_all
FROM summed
ORDER BY crawl, stratum, sites_disallow_all DESC, with_star_disallow_all DESC, agent
