-- title: Sites whose outcome differs from their captures and body
-- grain: one row per crawl, site and contradiction
-- reads: sites, captures, bodies
WITH site_captures AS (
    SELECT
        s.*,
        c.capture_id IS NOT NULL AS has_capture,
        c.url_host_name AS captured_host,
        c.url_protocol AS captured_protocol,
        coalesce(c.url_port, CASE c.url_protocol WHEN 'https' THEN 443 ELSE 80 END) AS captured_port,
        c.fetch_status AS captured_status,
        f.capture_id IS NOT NULL AS has_final,
        f.fetch_status AS found_status,
        f.access_result AS found_result,
        f.url_host_name AS found_host,
        b.may_be_robots,
        b.rule_count
    FROM sites AS s
    LEFT JOIN captures AS c ON c.crawl = s.crawl AND c.capture_id = s.capture_id
    LEFT JOIN captures AS f ON f.crawl = s.crawl AND f.capture_id = s.final_capture_id
    LEFT JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
),
expected_outcomes AS (
    SELECT
        *,
        CASE
            WHEN redirect_end IS NOT NULL THEN 'redirect_unresolved'
            WHEN found_result IN ('unavailable', 'unreachable') THEN found_result
            WHEN NOT may_be_robots THEN 'not_robots'
            WHEN rule_count > 0 THEN 'rules'
            WHEN may_be_robots THEN 'no_rules'
            ELSE 'no_capture'
        END AS expected
    FROM site_captures
),
differences AS (
    SELECT crawl, site_id, 'its capture is not there' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE NOT has_capture
    UNION ALL
    SELECT crawl, site_id, 'its capture is of another site' AS what, outcome, '' AS expected
    FROM expected_outcomes
    WHERE captured_host <> url_host_name OR captured_protocol <> url_protocol OR captured_port <> url_port
    UNION ALL
    SELECT crawl, site_id, 'its capture has another status' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE has_capture AND (captured_status IS DISTINCT FROM fetch_status)
    UNION ALL
    SELECT crawl, site_id, 'its last capture is not there' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE NOT has_final AND redirect_end IS NULL
    UNION ALL
    SELECT crawl, site_id, 'its last capture has another status or host' AS what, outcome, '' AS expected
    FROM expected_outcomes
    WHERE has_final AND ((found_status IS DISTINCT FROM final_status) OR found_host <> coalesce(final_host_name, url_host_name))
    UNION ALL
    SELECT crawl, site_id, 'it was not redirected, and its last capture is another' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE hops = 0 AND redirect_end IS NULL AND final_capture_id <> capture_id
    UNION ALL
    SELECT crawl, site_id, 'it was redirected, and no redirect was followed' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE access_result = 'redirect' AND fetch_status <> 304 AND hops = 0 AND redirect_end IS NULL
    UNION ALL
    SELECT crawl, site_id, 'it has another outcome' AS what, outcome, expected
    FROM expected_outcomes WHERE outcome <> expected
    UNION ALL
    SELECT crawl, site_id, 'without rules it has another access' AS what, outcome, '' AS expected
    FROM expected_outcomes
    WHERE access_without_rules IS DISTINCT FROM robots_outcome_access(outcome, final_status)
    UNION ALL
    SELECT crawl, site_id, 'it has a body, or has none, against its outcome' AS what, outcome, '' AS expected
    FROM expected_outcomes WHERE (body_id IS NOT NULL) <> (outcome IN ('rules', 'no_rules', 'not_robots'))
)
SELECT crawl, site_id, what, outcome, expected
FROM differences
ORDER BY crawl, site_id, what
