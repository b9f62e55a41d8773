-- title: Differences within pairs of sites
-- question: How often do the two sites of a pair have other rules: a host over http and https, a domain without www. and with it?
-- grain: one row per crawl, kind of pair, difference, and what each of the two sites allows
-- reads: sites, site_access, bodies
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: agent agent = *, token: the tracked agent whose verdicts are compared; the star is a crawler that no file names
WITH paired AS (
    SELECT
        'scheme' AS kind,
        h.crawl,
        h.site_id AS first_site_id,
        s.site_id AS second_site_id,
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
        d.site_id AS first_site_id,
        w.site_id AS second_site_id,
        d.final_capture_id AS first_capture_id,
        w.final_capture_id AS second_capture_id,
        d.body_id AS first_body_id,
        w.body_id AS second_body_id
    FROM sites AS d
    JOIN sites AS w
        ON w.crawl = d.crawl
        AND w.url_host_name = 'www.' || d.url_host_name
        AND w.url_protocol = d.url_protocol
        AND w.url_port = d.url_port
    WHERE d.url_host_name = d.url_host_registered_domain AND ($crawl = '' OR d.crawl = $crawl)
),
said AS (
    SELECT crawl, site_id, access, root_allowed
    FROM site_access
    WHERE agent = $agent
),
-- Of a file without a rule, the digest tells nothing.
ruled AS (
    SELECT crawl, body_id, ruleset_digest
    FROM bodies
    WHERE rule_count > 0
),
compared AS (
    SELECT
        p.crawl,
        p.kind,
        a.access AS first_access,
        b.access AS second_access,
        CASE
            WHEN p.first_capture_id = p.second_capture_id THEN 'one answer'
            WHEN a.access IS NULL OR b.access IS NULL THEN 'not known'
            WHEN a.access <> b.access OR a.root_allowed <> b.root_allowed THEN 'other verdict'
            WHEN r.ruleset_digest = q.ruleset_digest THEN 'same rules'
            WHEN r.ruleset_digest IS NULL AND q.ruleset_digest IS NULL THEN 'no rules'
            ELSE 'other rules'
        END AS difference
    FROM paired AS p
    LEFT JOIN said AS a ON a.crawl = p.crawl AND a.site_id = p.first_site_id
    LEFT JOIN said AS b ON b.crawl = p.crawl AND b.site_id = p.second_site_id
    LEFT JOIN ruled AS r ON r.crawl = p.crawl AND r.body_id = p.first_body_id
    LEFT JOIN ruled AS q ON q.crawl = p.crawl AND q.body_id = p.second_body_id
),
counted AS (
    SELECT
        crawl,
        kind,
        difference,
        coalesce(first_access, 'not known') AS first_access,
        coalesce(second_access, 'not known') AS second_access,
        count(*) AS pairs
    FROM compared
    GROUP BY crawl, kind, difference, coalesce(first_access, 'not known'), coalesce(second_access, 'not known')
)
SELECT *, sum(pairs) OVER (PARTITION BY crawl, kind) AS pairs_counted
FROM counted
