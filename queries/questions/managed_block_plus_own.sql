-- title: Managed blocks and what owners add to them
-- id: I04
-- question: What do sites with a managed block say besides it, and do they contradict it?
-- grain: one row per crawl, stratum and thing that a file says besides the block, those that none says among them
-- reads: stratum_bodies, template_bodies, templates, groups, rules, policies
-- parameter: denominator one of rules read answered decided all = rules, sites: which are counted, as in population
-- parameter: template text = cloudflare-managed, template: the block that is asked about, by its name in the table templates
-- caveat: with_block is of all sites that are counted; all others are of the sites with the block, which sites_counted are there.
-- caveat: A rule is of the block if its template has the same agent, verb and pattern, and else it is added; who wrote it, the owner, another template or the vendor of late, is not known.
-- caveat: let_in: an agent that the block refuses everything may fetch something after all, as rules of all groups of an agent are combined and the longest wins (RFC 9309 section 2.2).
-- caveat: No real file with the block of cloudflare-managed was there to try its signature on; it stands on the vendor's documentation.
WITH managed AS (
    SELECT
        crawl,
        body_id,
        max(CASE WHEN family <> (SELECT min(family) FROM templates WHERE template = $template) THEN 1 ELSE 0 END) AS has_other
    FROM template_bodies
    GROUP BY crawl, body_id
    HAVING max(CASE WHEN template = $template THEN 1 ELSE 0 END) = 1
),
of_block AS (
    SELECT agent, allow, coalesce(pattern_or_key, '') AS pattern
    FROM templates
    WHERE template = $template AND part = 'rule'
),
agents_of_block AS (
    SELECT agent, max(CASE WHEN pattern = '/' AND NOT allow THEN 1 ELSE 0 END) AS is_refused
    FROM of_block
    WHERE agent <> '*'
    GROUP BY agent
),
added AS (
    SELECT
        m.crawl,
        m.body_id,
        max(CASE WHEN g.token = '*' THEN 1 ELSE 0 END) AS for_all,
        max(CASE WHEN g.token <> '*' AND a.agent IS NULL THEN 1 ELSE 0 END) AS for_others,
        max(CASE WHEN a.agent IS NOT NULL THEN 1 ELSE 0 END) AS for_agents_of_block
    FROM managed AS m
    JOIN groups AS g ON g.crawl = m.crawl AND g.body_id = m.body_id
    JOIN rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
    LEFT JOIN of_block AS b ON b.agent = g.token AND b.allow = r.allow AND b.pattern = r.pattern
    LEFT JOIN agents_of_block AS a ON a.agent = g.token
    WHERE b.agent IS NULL
    GROUP BY m.crawl, m.body_id
),
judged AS (
    SELECT
        p.crawl,
        p.body_id,
        max(CASE WHEN a.is_refused = 1 AND p.access <> 'none' THEN 1 ELSE 0 END) AS lets_in,
        max(CASE WHEN p.token = '*' AND p.access = 'none' THEN 1 ELSE 0 END) AS refuses_all
    FROM policies AS p
    LEFT JOIN agents_of_block AS a ON a.agent = p.token
    WHERE p.token = '*' OR a.agent IS NOT NULL
    GROUP BY p.crawl, p.body_id
),
facts AS (
    SELECT
        m.crawl,
        m.body_id,
        m.has_other,
        CASE WHEN a.body_id IS NULL THEN 1 ELSE 0 END AS has_nothing,
        coalesce(a.for_all, 0) AS for_all,
        coalesce(a.for_others, 0) AS for_others,
        coalesce(a.for_agents_of_block, 0) AS for_agents_of_block,
        coalesce(j.lets_in, 0) AS lets_in,
        coalesce(j.refuses_all, 0) AS refuses_all
    FROM managed AS m
    LEFT JOIN added AS a ON a.crawl = m.crawl AND a.body_id = m.body_id
    LEFT JOIN judged AS j ON j.crawl = m.crawl AND j.body_id = m.body_id
),
counted AS (
    SELECT
        s.crawl,
        s.stratum,
        sum(s.weight) AS sites_counted,
        sum(CASE WHEN f.body_id IS NOT NULL THEN s.weight ELSE 0 END) AS with_block,
        sum(s.weight * coalesce(f.has_nothing, 0)) AS nothing_added,
        sum(s.weight * coalesce(f.for_all, 0)) AS for_all,
        sum(s.weight * coalesce(f.for_others, 0)) AS for_others,
        sum(s.weight * coalesce(f.for_agents_of_block, 0)) AS for_agents_of_block,
        sum(s.weight * coalesce(f.lets_in, 0)) AS lets_in,
        sum(s.weight * coalesce(f.refuses_all, 0)) AS refuses_all,
        sum(s.weight * coalesce(f.has_other, 0)) AS has_other
    FROM stratum_bodies AS s
    LEFT JOIN facts AS f ON f.crawl = s.crawl AND f.body_id = s.body_id
    GROUP BY s.crawl, s.stratum
),
listed AS (
    SELECT *
    FROM (VALUES
        (1, 'with_block'),
        (2, 'nothing_added'),
        (3, 'rules_for_all_added'),
        (4, 'rules_for_other_agents_added'),
        (5, 'rules_for_agents_of_block_added'),
        (6, 'let_in'),
        (7, 'all_others_refused_too'),
        (8, 'another_template')
    ) AS l (place, what)
),
shown AS (
    SELECT
        c.crawl,
        c.stratum,
        l.place,
        l.what,
        CASE l.place
            WHEN 1 THEN c.with_block
            WHEN 2 THEN c.nothing_added
            WHEN 3 THEN c.for_all
            WHEN 4 THEN c.for_others
            WHEN 5 THEN c.for_agents_of_block
            WHEN 6 THEN c.lets_in
            WHEN 7 THEN c.refuses_all
            ELSE c.has_other
        END AS sites,
        CASE l.place WHEN 1 THEN c.sites_counted ELSE c.with_block END AS sites_counted
    FROM counted AS c
    CROSS JOIN listed AS l
)
SELECT crawl, stratum, what, sites, sites_counted, sites / nullif(sites_counted, 0) AS share
FROM shown
ORDER BY crawl, stratum, place
