-- title: Robots.txt files written by software
-- id: I02
-- question: What share of sites has the robots.txt of a known content management system, hosting company or managed block?
-- grain: one row per crawl, stratum and template, family of templates, or any template
-- reads: strata, stratum_bodies, template_bodies, bodies
-- parameter: denominator = rules
-- column: level: any, family, template: what the row is about
-- column: template: the template, as in datasets/templates.csv; the family in rows of a family, any in rows of any template
-- column: family: the family of the template; null in rows of any template
-- column: sites: sites whose file has this template, a template of this family, or any template
-- column: contents: distinct files of these sites
-- column: rulesets: distinct rule sets of these files: groups and rules, without comments and other records
-- caveat: A template is recognised by rules and records that it always has, anywhere in the file. Sites that added rules of their own count too. The numbers of distinct files and rule sets show how much their files differ.
-- caveat: A site may have several templates, so shares may add up to more than the share of any template.
-- caveat: Files that any software could have written, and platforms without rules of their own, have no template. A file without a template need not be written by hand.
WITH body_templates AS (
    -- Each body counts for its templates, for their families, and once for any.
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
    CAST(coalesce(t.sites, 0) AS double) / nullif(s.sites_counted, 0) AS share,
    coalesce(t.contents, 0) AS contents,
    coalesce(t.rulesets, 0) AS rulesets
FROM strata AS s
LEFT JOIN template_totals AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
ORDER BY s.crawl, s.stratum, t.place, coalesce(t.sites, 0) DESC, template
