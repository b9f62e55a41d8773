-- title: Bodies with a template
-- question: Which bodies have the signature of a content management system, a hosting company or a managed block?
-- grain: one row per crawl, body and template
-- reads: templates, rules, groups, records
-- caveat: Patterns are compared as written, since software writes its own file in one way.
-- caveat: A body with a template may have other rules and other templates too. A body without a template says nothing about the software that wrote it.
WITH requirements AS (
    SELECT
        template,
        family,
        part,
        coalesce(agent, '') AS agent,
        allow,
        coalesce(pattern_or_key, '') AS pattern_or_key,
        coalesce(value, '') AS value,
        row_number() OVER (
            PARTITION BY template ORDER BY part, coalesce(agent, ''), coalesce(pattern_or_key, ''), allow, coalesce(value, '')
        ) AS requirement,
        count(*) OVER (PARTITION BY template) AS requirements
    FROM templates
    WHERE is_required
),
-- Only rules, groups and records that occur in templates are joined, and rules find their templates last: many templates
-- shut out agents by the rule /, which many files have.
likely_groups AS (
    SELECT crawl, body_id, group_no, token
    FROM groups
    WHERE token IN (SELECT agent FROM requirements WHERE part IN ('rule', 'group'))
),
likely_rules AS (
    SELECT crawl, body_id, group_no, allow, pattern
    FROM rules
    WHERE pattern IN (SELECT pattern_or_key FROM requirements WHERE part = 'rule') AND group_no IS NOT NULL
),
agent_rules AS (
    SELECT g.crawl, g.body_id, g.token, r.allow, r.pattern
    FROM likely_groups AS g
    JOIN likely_rules AS r ON r.crawl = g.crawl AND r.body_id = g.body_id AND r.group_no = g.group_no
),
likely_records AS (
    SELECT crawl, body_id, key, value
    FROM records
    WHERE key IN (SELECT pattern_or_key FROM requirements WHERE part = 'record')
),
met_requirements AS (
    SELECT a.crawl, a.body_id, e.template, e.family, e.requirement, e.requirements
    FROM requirements AS e
    JOIN agent_rules AS a ON a.pattern = e.pattern_or_key AND a.allow = e.allow AND a.token = e.agent
    WHERE e.part = 'rule'
    UNION
    SELECT g.crawl, g.body_id, e.template, e.family, e.requirement, e.requirements
    FROM likely_groups AS g
    JOIN requirements AS e ON e.part = 'group' AND e.agent = g.token
    UNION
    SELECT c.crawl, c.body_id, e.template, e.family, e.requirement, e.requirements
    FROM likely_records AS c
    JOIN requirements AS e ON e.part = 'record' AND e.pattern_or_key = c.key AND strpos(c.value, e.value) > 0
)
SELECT crawl, body_id, template, family
FROM met_requirements
GROUP BY crawl, body_id, template, family, requirements
HAVING count(*) = requirements
