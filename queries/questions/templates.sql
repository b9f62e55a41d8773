-- title: Robots.txt files that software writes
-- id: I02
-- question: What share of sites has the robots.txt of a known content management system, host or managed block?
-- grain: one row per crawl, stratum and template that some site has, family of templates, or any of them
-- reads: strata, stratum_bodies, template_bodies, bodies
-- parameter: denominator one of rules read answered decided all = rules, sites: which are counted, as in population
-- caveat: A template is known by rules and records that it always has, wherever they stand; sites that added rules of their own count with those that did not. contents and rulesets tell how far they differ.
-- caveat: A site may carry several templates, so that shares add up to more than that of any.
-- caveat: Files that any software could have written, and platforms without rules of their own, have no template: what is missing here is not proven to be written by hand.
WITH carried AS (
    -- Each body counts with its templates, with their families, and once with any of them.
    SELECT DISTINCT
        b.crawl,
        b.body_id,
        l.place,
        l.level,
        CASE l.place WHEN 1 THEN 'any' WHEN 2 THEN b.family ELSE b.template END AS template,
        CASE l.place WHEN 1 THEN NULL ELSE b.family END AS family
    FROM template_bodies AS b
    CROSS JOIN (VALUES (1, 'any'), (2, 'family'), (3, 'template')) AS l (place, level)
),
counted AS (
    SELECT
        s.crawl,
        s.stratum,
        c.place,
        c.level,
        c.template,
        c.family,
        sum(s.weight) AS sites,
        count(DISTINCT b.content_digest) AS contents,
        count(DISTINCT b.ruleset_digest) AS rulesets
    FROM carried AS c
    JOIN stratum_bodies AS s ON s.crawl = c.crawl AND s.body_id = c.body_id
    JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    GROUP BY s.crawl, s.stratum, c.place, c.level, c.template, c.family
)
SELECT
    t.crawl,
    t.stratum,
    coalesce(c.level, 'any') AS level,
    coalesce(c.template, 'any') AS template,
    c.family,
    coalesce(c.sites, 0) AS sites,
    t.sites_counted,
    coalesce(c.sites, 0) / nullif(t.sites_counted, 0) AS share,
    coalesce(c.contents, 0) AS contents,
    coalesce(c.rulesets, 0) AS rulesets
FROM strata AS t
LEFT JOIN counted AS c ON c.crawl = t.crawl AND c.stratum = t.stratum
ORDER BY t.crawl, t.stratum, c.place, sites DESC, template
