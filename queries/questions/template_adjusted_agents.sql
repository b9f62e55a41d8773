-- title: Agents named and blocked by owners and by templates
-- id: I03
-- question: What share of sites names each agent, and blocks it by name, once the files whose template names it are left out?
-- grain: one row per crawl, stratum and agent
-- reads: strata, stratum_bodies, population, site_voices, voice_blocking, policies, agents, templates, template_bodies
-- parameter: denominator one of rules read answered decided all = rules, sites: which are counted, as in population
-- parameter: top integer = 50, agents: how many, those that most sites name first
-- caveat: A site counts as by template where its file carries a template that has a group for the agent, in all of its versions or in some; its owner may have wanted the same.
-- caveat: blocked is blocked by name, in the sense of definition, and is known of tracked agents only; null is not known. A star that refuses all is not among it.
-- caveat: Templates that nobody has described are counted as the owners' choice, and so are lists that owners copied from each other.
WITH brought AS (
    SELECT DISTINCT b.crawl, b.body_id, t.agent
    FROM template_bodies AS b
    JOIN templates AS t ON t.template = b.template
    WHERE t.part IN ('rule', 'group') AND t.agent <> '' AND t.agent <> '*'
),
named AS (
    SELECT crawl, body_id, token AS agent FROM policies WHERE is_written AND token <> '*'
),
naming AS (
    SELECT
        s.crawl,
        s.stratum,
        n.agent,
        sum(s.weight) AS sites_naming,
        sum(CASE WHEN b.body_id IS NULL THEN s.weight ELSE 0 END) AS sites_naming_by_owners
    FROM named AS n
    JOIN stratum_bodies AS s ON s.crawl = n.crawl AND s.body_id = n.body_id
    LEFT JOIN brought AS b ON b.crawl = n.crawl AND b.body_id = n.body_id AND b.agent = n.agent
    GROUP BY s.crawl, s.stratum, n.agent
),
held AS (
    SELECT p.crawl, p.stratum, p.body_id, v.voice_id, sum(p.weight) AS weight
    FROM population AS p
    JOIN site_voices AS v ON v.crawl = p.crawl AND v.site_id = p.site_id
    GROUP BY p.crawl, p.stratum, p.body_id, v.voice_id
),
refusing AS (
    SELECT
        p.crawl,
        p.stratum,
        k.agent,
        sum(p.weight) AS sites_blocking,
        sum(CASE WHEN b.body_id IS NULL THEN p.weight ELSE 0 END) AS sites_blocking_by_owners
    FROM held AS p
    JOIN voice_blocking AS k ON k.crawl = p.crawl AND k.voice_id = p.voice_id
    LEFT JOIN brought AS b ON b.crawl = p.crawl AND b.body_id = p.body_id AND b.agent = k.agent
    WHERE k.blocked AND k.match_kind = 'explicit'
    GROUP BY p.crawl, p.stratum, k.agent
),
tracked AS (
    SELECT DISTINCT lower(token) AS agent FROM agents WHERE tracked
),
ranked AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites_naming DESC, agent) AS bigint) AS place
    FROM naming
),
shown AS (
    SELECT
        n.crawl,
        n.stratum,
        n.place,
        n.agent,
        t.sites_counted,
        n.sites_naming,
        n.sites_naming_by_owners,
        CASE WHEN k.agent IS NOT NULL THEN coalesce(r.sites_blocking, 0) END AS sites_blocking,
        CASE WHEN k.agent IS NOT NULL THEN coalesce(r.sites_blocking_by_owners, 0) END AS sites_blocking_by_owners
    FROM ranked AS n
    JOIN strata AS t ON t.crawl = n.crawl AND t.stratum = n.stratum
    LEFT JOIN tracked AS k ON k.agent = n.agent
    LEFT JOIN refusing AS r ON r.crawl = n.crawl AND r.stratum = n.stratum AND r.agent = n.agent
    WHERE n.place <= $top
)
SELECT
    crawl,
    stratum,
    agent,
    sites_counted,
    sites_naming,
    sites_naming / nullif(sites_counted, 0) AS share_named,
    sites_naming_by_owners,
    sites_naming_by_owners / nullif(sites_counted, 0) AS share_named_by_owners,
    sites_blocking,
    sites_blocking / nullif(sites_counted, 0) AS share_blocked,
    sites_blocking_by_owners,
    sites_blocking_by_owners / nullif(sites_counted, 0) AS share_blocked_by_owners
FROM shown
ORDER BY crawl, stratum, place
