-- title: Robots.txt files that software writes
-- id: I02
-- question: What share of sites has the robots.txt of a known content management system, host or managed block?
-- grain: one row per crawl, stratum and template that some site has, family of templates, or any of them
-- reads: strata, stratum_bodies, template_bodies, bodies
-- parameter: denominator one of rules read answered decided all = rules, sites: which are counted, as in population
-- caveat: A template is known by rules and records that it always has, wherever they stand; sites that added rules of their own count with those that did not. contents and rulesets tell how far they differ.
-- caveat: A site may carry several templates, so that shares add up to more than that of any.
-- caveat: Files that any software could have written, and platforms without rules of their own, have no template: what is missing here is not proven to be written by hand.
WITH body_templates AS (
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
template_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        t.place,
        t.level,
        t.template,
        t.family,
        sum(s.weight) AS sites,
        count(DISTINCT b.content_digest) AS contents,
        count(DISTINCT b.ruleset_digest) AS rulesets
    FROM body_templates AS t
    JOIN stratum_bodies AS s ON s.crawl = t.crawl AND s.body_id = t.body_id
    JOIN bodies AS b ON b.crawl = t.crawl AND b.body_id = t.body_id
    GROUP BY s.crawl, s.stratum, t.place, t.level, t.template, t.family
)
SELECT
    s.crawl,
    s.stratum,
    coalesce(t.level, 'any') AS level,
    coalesce(t.template, 'any') AS template,
    t.family,
    coalesce(t.sites, 0) AS sites,
    s.sites_counted,
    coalesce(t.sites, 0) / nullif(s.sites_counted, 0) AS share,
    coalesce(t.contents, 0) AS contents,
    coalesce(t.rulesets, 0) AS rulesets
FROM strata AS s
LEFT JOIN template_totals AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
ORDER BY s.crawl, s.stratum, t.place, sites DESC, template
