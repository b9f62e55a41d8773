-- title: Bodies that carry a template
-- question: Which bodies hold all that a content management system, a host or a managed block is known by?
-- grain: one row per crawl, body and template that it carries
-- reads: templates, rules, groups, records
-- caveat: A body that carries a template may hold more than that, and may carry several. A miss says nothing of the software that wrote it.
WITH needed AS (
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
-- Few rules, groups and records are such as any template has, and only those are joined.
likely_rules AS (
    SELECT crawl, body_id, group_no, allow, pattern
    FROM rules
    WHERE group_no IS NOT NULL AND pattern IN (SELECT pattern_or_key FROM needed WHERE part = 'rule')
),
likely_groups AS (
    SELECT crawl, body_id, group_no, token
    FROM groups
    WHERE token IN (SELECT agent FROM needed WHERE part IN ('rule', 'group'))
),
likely_records AS (
    SELECT crawl, body_id, key, value
    FROM records
    WHERE key IN (SELECT pattern_or_key FROM needed WHERE part = 'record')
),
met AS (
    SELECT r.crawl, r.body_id, n.template, n.family, n.requirement, n.requirements
    FROM likely_rules AS r
    JOIN likely_groups AS g ON g.crawl = r.crawl AND g.body_id = r.body_id AND g.group_no = r.group_no
    JOIN needed AS n ON n.part = 'rule' AND n.agent = g.token AND n.allow = r.allow AND n.pattern_or_key = r.pattern
    UNION
    SELECT g.crawl, g.body_id, n.template, n.family, n.requirement, n.requirements
    FROM likely_groups AS g
    JOIN needed AS n ON n.part = 'group' AND n.agent = g.token
    UNION
    SELECT c.crawl, c.body_id, n.template, n.family, n.requirement, n.requirements
    FROM likely_records AS c
    JOIN needed AS n ON n.part = 'record' AND n.pattern_or_key = c.key AND strpos(c.value, n.value) > 0
)
SELECT crawl, body_id, template, family
FROM met
GROUP BY crawl, body_id, template, family, requirements
HAVING count(*) = requirements
