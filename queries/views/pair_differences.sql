-- title: Differences within pairs of sites
-- question: How often do the two sites of a pair have different rules: a host over http and over https, a domain without www. and with it?
-- grain: one row per crawl, kind of pair, difference, and access of each of the two sites
-- reads: sites, class_access, bodies, policies
-- parameter: crawl = ''
-- parameter: agent agent = *, token: the tracked agent; * is every crawler that a file does not name
-- caveat: The kind scheme is for a host over http (first) and https (second), the kind www for a domain without www. (first) and with it (second).
WITH site_pairs AS (
    SELECT
        'scheme' AS kind,
        h.crawl,
        h.class_id AS first_class_id,
        s.class_id AS second_class_id,
        h.final_capture_id AS first_capture_id,
        s.final_capture_id AS second_capture_id,
        h.body_id AS first_body_id,
        s.body_id AS second_body_id
    FROM sites AS h
    JOIN sites AS s ON s.crawl = h.crawl AND s.url_host_name = h.url_host_name
    WHERE h.url_protocol = 'http'
        AND h.url_port = 80
        AND s.url_protocol = 'https'
        AND s.url_port = 443
        AND ($crawl = '' OR h.crawl = $crawl)
    UNION ALL
    SELECT
        'www' AS kind,
        d.crawl,
        d.class_id AS first_class_id,
        w.class_id AS second_class_id,
        d.final_capture_id AS first_capture_id,
        w.final_capture_id AS second_capture_id,
        d.body_id AS first_body_id,
        w.body_id AS second_body_id
    -- The smaller side comes first, because it is kept in memory.
    FROM sites AS w
    JOIN sites AS d
        ON w.crawl = d.crawl
        AND w.url_host_name = 'www.' || d.url_host_name
        AND w.url_protocol = d.url_protocol
        AND w.url_port = d.url_port
    WHERE d.url_host_name = d.url_host_registered_domain
        -- Follows from the join, and leaves fewer sites before it.
        AND w.url_host_name LIKE 'www.%'
        AND ($crawl = '' OR d.crawl = $crawl)
),
verdicts AS (
    SELECT crawl, class_id, access, root_allowed FROM class_access WHERE agent = $agent
),
-- Files with a rule for some agent. The digest is of groups, so other files may have different digests.
rule_sets AS (
    SELECT b.crawl, b.body_id, b.ruleset_digest
    FROM (SELECT DISTINCT crawl, body_id FROM policies WHERE allow_rules + disallow_rules > 0) AS p
    JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
),
pair_verdicts AS (
    SELECT
        p.crawl,
        p.kind,
        first_verdict.access AS first_access,
        second_verdict.access AS second_access,
        CASE
            WHEN p.first_capture_id = p.second_capture_id THEN 'one answer'
            WHEN first_verdict.access IS NULL OR second_verdict.access IS NULL THEN 'not known'
            WHEN first_verdict.access <> second_verdict.access OR first_verdict.root_allowed <> second_verdict.root_allowed THEN 'other verdict'
            WHEN first_rules.ruleset_digest = second_rules.ruleset_digest THEN 'same rules'
            WHEN first_rules.ruleset_digest IS NULL AND second_rules.ruleset_digest IS NULL THEN 'no rules'
            ELSE 'other rules'
        END AS difference
    FROM site_pairs AS p
    LEFT JOIN verdicts AS first_verdict ON first_verdict.crawl = p.crawl AND first_verdict.class_id = p.first_class_id
    LEFT JOIN verdicts AS second_verdict ON second_verdict.crawl = p.crawl AND second_verdict.class_id = p.second_class_id
    LEFT JOIN rule_sets AS first_rules ON first_rules.crawl = p.crawl AND first_rules.body_id = p.first_body_id
    LEFT JOIN rule_sets AS second_rules ON second_rules.crawl = p.crawl AND second_rules.body_id = p.second_body_id
),
counted_pairs AS (
    SELECT
        crawl,
        kind,
        difference,
        coalesce(first_access, 'not known') AS first_access,
        coalesce(second_access, 'not known') AS second_access,
        count(*) AS pairs
    FROM pair_verdicts
    GROUP BY crawl, kind, difference, coalesce(first_access, 'not known'), coalesce(second_access, 'not known')
)
SELECT *, sum(pairs) OVER (PARTITION BY crawl, kind) AS pairs_counted
FROM counted_pairs
