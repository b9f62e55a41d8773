-- title: Managed blocks and what owners add to them
-- id: I04
-- question: What do sites with a managed block add to it, and do they contradict it?
-- grain: one row per crawl, stratum and addition to the block, including additions that no site has
-- reads: stratum_bodies, template_bodies, templates, groups, rules, policies
-- parameter: denominator = rules
-- parameter: template template = cloudflare-managed, template: the managed block, by its name in the table templates
-- column: what: with_block for the managed block (--template); else what is added to it, or how the file contradicts it
-- column: sites: sites whose file has the block; in other rows, also this addition or contradiction
-- column: sites_counted: for with_block all counted sites; in other rows the sites whose file has the block
-- caveat: The share of with_block is of all counted sites. All other shares are of the sites with the block, and sites_counted is their number.
-- caveat: A rule belongs to the block if its template has a rule with the same agent, verb and pattern as written. Any other rule counts as added. It may come from the owner, another template, or a newer version of the block. A line of GPTBot Foo counts as one of GPTBot. another_template counts templates of other families only.
-- caveat: agents_of_block_allowed: an agent that the block alone would block may fetch some path, because the rules of all its groups are combined and the longest match wins (RFC 9309 section 2.2).
-- caveat: The signature of cloudflare-managed comes from the vendor's documentation. It was not tested on real files.
WITH managed_bodies AS (
    SELECT
        crawl,
        body_id,
        max(CASE WHEN family <> (SELECT min(family) FROM templates WHERE template = $template) THEN 1 ELSE 0 END) AS has_other
    FROM template_bodies
    GROUP BY crawl, body_id
    HAVING max(CASE WHEN template = $template THEN 1 ELSE 0 END) = 1
),
block_rules AS (
    SELECT agent, allow, coalesce(pattern_or_key, '') AS pattern
    FROM templates
    WHERE template = $template AND part = 'rule'
),
block_agents AS (
    SELECT agent, max(CASE WHEN pattern = '/' AND NOT allow THEN 1 ELSE 0 END) AS is_blocked
    FROM block_rules
    WHERE agent <> '*'
    GROUP BY agent
),
-- A line names an agent of the block by its token or its product token. An empty line names no agent.
group_agents AS (
    SELECT m.crawl, m.body_id, g.group_no, coalesce(t.agent, p.agent, g.token) AS agent
    FROM managed_bodies AS m
    JOIN groups AS g ON g.crawl = m.crawl AND g.body_id = m.body_id
    LEFT JOIN block_agents AS t ON t.agent = g.token
    LEFT JOIN block_agents AS p ON p.agent = g.product_token
    WHERE g.token <> ''
),
added_rules AS (
    SELECT
        g.crawl,
        g.body_id,
        max(CASE WHEN g.agent = '*' THEN 1 ELSE 0 END) AS for_all,
        max(CASE WHEN g.agent <> '*' AND a.agent IS NULL THEN 1 ELSE 0 END) AS for_others,
        max(CASE WHEN a.agent IS NOT NULL THEN 1 ELSE 0 END) AS for_agents_of_block
    FROM group_agents AS g
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    LEFT JOIN block_rules AS b ON b.agent = g.agent AND b.allow = r.allow AND b.pattern = r.pattern
    LEFT JOIN block_agents AS a ON a.agent = g.agent
    WHERE b.agent IS NULL
    GROUP BY g.crawl, g.body_id
),
body_verdicts AS (
    SELECT
        p.crawl,
        p.body_id,
        max(CASE WHEN b.is_blocked = 1 AND p.access <> 'none' THEN 1 ELSE 0 END) AS allows_agents_of_block,
        max(CASE WHEN p.token = '*' AND p.access = 'none' THEN 1 ELSE 0 END) AS blocks_all
    FROM policies AS p
    LEFT JOIN block_agents AS b ON b.agent = p.token
    WHERE p.token = '*' OR b.agent IS NOT NULL
    GROUP BY p.crawl, p.body_id
),
body_facts AS (
    SELECT
        m.crawl,
        m.body_id,
        m.has_other,
        CASE WHEN a.body_id IS NULL THEN 1 ELSE 0 END AS has_nothing,
        coalesce(a.for_all, 0) AS for_all,
        coalesce(a.for_others, 0) AS for_others,
        coalesce(a.for_agents_of_block, 0) AS for_agents_of_block,
        coalesce(b.allows_agents_of_block, 0) AS allows_agents_of_block,
        coalesce(b.blocks_all, 0) AS blocks_all
    FROM managed_bodies AS m
    LEFT JOIN added_rules AS a ON a.crawl = m.crawl AND a.body_id = m.body_id
    LEFT JOIN body_verdicts AS b ON b.crawl = m.crawl AND b.body_id = m.body_id
),
stratum_facts AS (
    SELECT
        s.crawl,
        s.stratum,
        sum(s.weight) AS sites_counted,
        sum(CASE WHEN b.body_id IS NOT NULL THEN s.weight ELSE 0 END) AS with_block,
        sum(s.weight * coalesce(b.has_nothing, 0)) AS nothing_added,
        sum(s.weight * coalesce(b.for_all, 0)) AS for_all,
        sum(s.weight * coalesce(b.for_others, 0)) AS for_others,
        sum(s.weight * coalesce(b.for_agents_of_block, 0)) AS for_agents_of_block,
        sum(s.weight * coalesce(b.allows_agents_of_block, 0)) AS allows_agents_of_block,
        sum(s.weight * coalesce(b.blocks_all, 0)) AS blocks_all,
        sum(s.weight * coalesce(b.has_other, 0)) AS has_other
    FROM stratum_bodies AS s
    LEFT JOIN body_facts AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum
),
fact_list AS (
    SELECT *
    FROM (VALUES
        (1, 'with_block'),
        (2, 'nothing_added'),
        (3, 'rules_for_all_added'),
        (4, 'rules_for_other_agents_added'),
        (5, 'rules_for_agents_of_block_added'),
        (6, 'agents_of_block_allowed'),
        (7, 'all_others_blocked_too'),
        (8, 'another_template')
    ) AS l (place, what)
),
fact_rows AS (
    SELECT
        s.crawl,
        s.stratum,
        f.place,
        f.what,
        CASE f.place
            WHEN 1 THEN s.with_block
            WHEN 2 THEN s.nothing_added
            WHEN 3 THEN s.for_all
            WHEN 4 THEN s.for_others
            WHEN 5 THEN s.for_agents_of_block
            WHEN 6 THEN s.allows_agents_of_block
            WHEN 7 THEN s.blocks_all
            ELSE s.has_other
        END AS sites,
        CASE f.place WHEN 1 THEN s.sites_counted ELSE s.with_block END AS sites_counted
    FROM stratum_facts AS s
    CROSS JOIN fact_list AS f
)
SELECT crawl, stratum, what, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM fact_rows
ORDER BY crawl, stratum, place
