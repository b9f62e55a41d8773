-- title: Lengths of rule sets
-- id: B06
-- question: How many rules apply to one agent of a file, or to its wildcard group, and how often are they only Disallow: /?
-- grain: one row per crawl, stratum, kind of name (wildcard or agent) and bin of lengths, including empty bins
-- reads: stratum_bodies, policies
-- parameter: denominator = rules
-- column: named: wildcard (rule sets of the wildcard group) or agent (rule sets of all other names)
-- column: from_rules: the smallest number of rules in the bin
-- column: to_rules: the greatest number of rules in the bin; null for the last bin, which has no upper end
-- column: rulesets: rule sets with a number of rules in this bin, counted once per site
-- column: rulesets_counted: all rule sets of the same kind of name, counted once per site, which is the denominator
-- column: share: rulesets divided by rulesets_counted; null if there are no such rule sets
-- column: rulesets_only_disallow_root: of rulesets, those with only Disallow: /, once or repeated
-- column: share_only_disallow_root: rulesets_only_disallow_root divided by rulesets_counted; null if there are no such rule sets
-- column: rulesets_all_allowed: of rulesets, those that disallow nothing
-- caveat: A rule set is all rules of a file for one agent, with its groups combined by RFC 9309 section 2.2.1. A file that names ten agents has ten rule sets; a name with several words, such as GPTBot Foo, is one. Files are counted once per site: a file that a thousand sites serve counts a thousand times.
-- caveat: rulesets_only_disallow_root may have Disallow: / several times. rulesets_all_allowed may have rules, such as an empty Disallow.
-- caveat: Shares are of the rule sets of the same kind of name.
WITH rule_set_lengths AS (
    SELECT
        crawl,
        body_id,
        CASE WHEN token = '*' THEN 'wildcard' ELSE 'agent' END AS named,
        allow_rules + disallow_rules AS rules,
        count(*) AS rulesets,
        sum(CASE WHEN is_only_disallow_root THEN 1 ELSE 0 END) AS only_disallow_root,
        sum(CASE WHEN access = 'all' THEN 1 ELSE 0 END) AS all_allowed
    FROM policies
    WHERE is_written
    GROUP BY crawl, body_id, CASE WHEN token = '*' THEN 'wildcard' ELSE 'agent' END, allow_rules + disallow_rules
),
length_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        r.named,
        r.rules,
        sum(s.weight * r.rulesets) AS rulesets,
        sum(s.weight * r.only_disallow_root) AS only_disallow_root,
        sum(s.weight * r.all_allowed) AS all_allowed
    FROM stratum_bodies AS s
    JOIN rule_set_lengths AS r ON r.crawl = s.crawl AND r.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, r.named, r.rules
    UNION ALL
    -- A stratum may have no name of a kind.
    SELECT s.crawl, s.stratum, k.named, CAST(NULL AS int) AS rules, 0 AS rulesets, 0 AS only_disallow_root, 0 AS all_allowed
    FROM (SELECT DISTINCT crawl, stratum FROM stratum_bodies) AS s
    CROSS JOIN (VALUES ('wildcard'), ('agent')) AS k (named)
),
length_bins AS (
    SELECT
        l.crawl,
        l.stratum,
        l.named,
        b.from_rules,
        b.to_rules,
        sum(CASE WHEN l.rules >= b.from_rules AND (b.to_rules IS NULL OR l.rules <= b.to_rules)
            THEN l.rulesets ELSE 0 END) AS rulesets,
        sum(l.rulesets) AS rulesets_counted,
        sum(CASE WHEN l.rules >= b.from_rules AND (b.to_rules IS NULL OR l.rules <= b.to_rules)
            THEN l.only_disallow_root ELSE 0 END) AS rulesets_only_disallow_root,
        sum(CASE WHEN l.rules >= b.from_rules AND (b.to_rules IS NULL OR l.rules <= b.to_rules)
            THEN l.all_allowed ELSE 0 END) AS rulesets_all_allowed
    FROM length_totals AS l
    CROSS JOIN (VALUES
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 5),
        (6, 10),
        (11, 20),
        (21, 50),
        (51, 100),
        (101, 200),
        (201, 500),
        (501, 999),
        (1000, NULL)
    ) AS b (from_rules, to_rules)
    GROUP BY l.crawl, l.stratum, l.named, b.from_rules, b.to_rules
)
SELECT
    crawl,
    stratum,
    named,
    from_rules,
    to_rules,
    rulesets,
    rulesets_counted,
    CAST(rulesets AS double) / nullif(rulesets_counted, 0) AS share,
    rulesets_only_disallow_root,
    CAST(rulesets_only_disallow_root AS double) / nullif(rulesets_counted, 0) AS share_only_disallow_root,
    rulesets_all_allowed
FROM length_bins
ORDER BY crawl, stratum, named DESC, from_rules
