-- title: Sites
-- question: Which sites were captured, and which body applies to each once redirects are followed?
-- grain: one row per protocol, host and port whose /robots.txt was captured
-- reads: captures, bodies
-- parameter: crawl crawl = '', name: the crawl
-- parameter: capture one of latest first best = latest, choice: which capture of a site counts; best prefers a success over an unavailable file, then a redirect, then a failure
-- caveat: RFC 9309 section 2.3.1.2 asks crawlers to follow at least five redirects, across hosts too. Five are followed here, each to the capture of that URL in the same crawl.
WITH web_captures AS (
    SELECT
        capture_id,
        url_protocol,
        url_host_name,
        -- The port of the scheme is none, whether it is written or not, as in fetch_redirect.
        CASE WHEN url_port IS NULL OR url_port = 80 AND url_protocol = 'http' OR url_port = 443 AND url_protocol = 'https'
            THEN CASE url_protocol WHEN 'https' THEN 443 ELSE 80 END ELSE url_port END AS port,
        url_protocol || '://' || url_host_name
            || CASE WHEN url_port IS NULL OR url_port = 80 AND url_protocol = 'http' OR url_port = 443 AND url_protocol = 'https'
                THEN '' ELSE ':' || CAST(url_port AS varchar) END
            || url_path || coalesce('?' || url_query, '') AS address,
        url_host_tld,
        url_host_registered_domain,
        url_host_private_domain,
        url_path = '/robots.txt' AND url_query IS NULL AS is_own,
        fetch_time,
        fetch_status,
        access_result,
        -- 304 says that what was captured before still holds; it leads nowhere.
        CASE WHEN access_result = 'redirect' AND fetch_status <> 304 THEN coalesce(fetch_redirect, '') END AS leads_to,
        body_id,
        -- The digest of no bytes is that of an answer without a body, and not of an empty file.
        CASE WHEN body_id IS NULL AND (warc_record_type = 'revisit' OR fetch_status = 304) THEN nullif(content_digest, '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ') END AS repeats,
        CASE $capture
            WHEN 'best' THEN CASE access_result WHEN 'successful' THEN 0 WHEN 'unavailable' THEN 1 WHEN 'redirect' THEN 2 ELSE 3 END
            ELSE 0
        END AS preference,
        CASE $capture WHEN 'first' THEN fetch_time END AS earliest
    FROM captures
    WHERE crawl = $crawl AND url_protocol IN ('http', 'https') AND url_host_name IS NOT NULL
),
own_captures AS (
    SELECT * FROM web_captures WHERE is_own
),
own_sites AS (
    SELECT url_protocol, url_host_name, port, count(*) AS captures, min(capture_id) AS site_id
    FROM own_captures
    GROUP BY url_protocol, url_host_name, port
),
-- Nearly all sites have one capture, which needs no ranking.
ranked_captures AS (
    SELECT
        c.*,
        s.captures,
        s.site_id,
        row_number() OVER (
            PARTITION BY s.site_id ORDER BY c.preference, c.earliest, c.fetch_time DESC NULLS LAST, c.capture_id DESC
        ) AS place
    FROM own_sites AS s
    JOIN own_captures AS c ON c.url_protocol = s.url_protocol AND c.url_host_name = s.url_host_name AND c.port = s.port
    WHERE s.captures > 1
),
chosen_captures AS (
    SELECT c.*, s.captures, s.site_id, 1 AS place
    FROM own_sites AS s
    JOIN own_captures AS c ON c.capture_id = s.site_id
    WHERE s.captures = 1
    UNION ALL
    SELECT * FROM ranked_captures WHERE place = 1
),
-- The capture that counts, for each URL that a redirect leads to.
redirect_targets AS (
    SELECT *
    FROM (
        SELECT
            *,
            row_number() OVER (
                PARTITION BY address ORDER BY preference, earliest, fetch_time DESC NULLS LAST, capture_id DESC
            ) AS place
        FROM web_captures
        WHERE address IN (SELECT leads_to FROM web_captures WHERE leads_to <> '')
    ) AS ranked
    WHERE place = 1
),
redirect_chains AS (
    SELECT
        c.site_id,
        c.address AS address_0,
        c.leads_to AS address_1, t1.capture_id AS capture_1,
        t1.leads_to AS address_2, t2.capture_id AS capture_2,
        t2.leads_to AS address_3, t3.capture_id AS capture_3,
        t3.leads_to AS address_4, t4.capture_id AS capture_4,
        t4.leads_to AS address_5, t5.capture_id AS capture_5,
        t5.leads_to AS address_6
    FROM chosen_captures AS c
    LEFT JOIN redirect_targets AS t1 ON t1.address = c.leads_to
    LEFT JOIN redirect_targets AS t2 ON t2.address = t1.leads_to
    LEFT JOIN redirect_targets AS t3 ON t3.address = t2.leads_to
    LEFT JOIN redirect_targets AS t4 ON t4.address = t3.leads_to
    LEFT JOIN redirect_targets AS t5 ON t5.address = t4.leads_to
    WHERE c.leads_to IS NOT NULL
),
-- How many redirects were followed: up to the first address that leads no further, whether it was captured or not.
followed_chains AS (
    SELECT
        *,
        CASE WHEN address_2 IS NULL THEN 1 WHEN address_3 IS NULL THEN 2 WHEN address_4 IS NULL THEN 3 WHEN address_5 IS NULL THEN 4 ELSE 5 END AS hops,
        address_1 = address_0
            OR address_2 IN (address_0, address_1)
            OR address_3 IN (address_0, address_1, address_2)
            OR address_4 IN (address_0, address_1, address_2, address_3)
            OR address_5 IN (address_0, address_1, address_2, address_3, address_4)
            OR address_6 IN (address_0, address_1, address_2, address_3, address_4, address_5) AS is_loop,
        address_6 IS NOT NULL AS goes_on
    FROM redirect_chains
),
chain_ends AS (
    SELECT
        site_id,
        hops,
        CASE hops WHEN 1 THEN capture_1 WHEN 2 THEN capture_2 WHEN 3 THEN capture_3 WHEN 4 THEN capture_4 ELSE capture_5 END AS capture_id,
        CASE hops WHEN 1 THEN address_1 WHEN 2 THEN address_2 WHEN 3 THEN address_3 WHEN 4 THEN address_4 ELSE address_5 END AS address,
        coalesce(is_loop, false) AS is_loop,
        goes_on
    FROM followed_chains
),
resolved_chains AS (
    SELECT
        e.site_id,
        -- An address that is empty or was not captured was not followed to.
        CASE WHEN e.capture_id IS NULL THEN e.hops - 1 ELSE e.hops END AS hops,
        CASE
            WHEN e.is_loop THEN 'loop'
            WHEN e.goes_on THEN 'too-many'
            WHEN e.capture_id IS NOT NULL THEN NULL
            WHEN e.address = '' THEN 'no-location'
            WHEN NOT (starts_with(e.address, 'http://') OR starts_with(e.address, 'https://')) THEN 'not-http'
            ELSE 'not-captured'
        END AS redirect_end,
        nullif(e.address, '') AS address,
        CASE WHEN NOT e.is_loop AND NOT e.goes_on THEN e.capture_id END AS capture_id,
        t.url_host_name,
        t.url_host_registered_domain,
        t.fetch_status,
        t.access_result,
        t.body_id,
        t.repeats
    FROM chain_ends AS e
    LEFT JOIN redirect_targets AS t ON t.capture_id = e.capture_id
),
final_captures AS (
    SELECT
        c.*,
        coalesce(r.hops, 0) AS hops,
        r.redirect_end,
        CASE WHEN r.site_id IS NULL THEN c.capture_id ELSE r.capture_id END AS final_capture_id,
        r.address AS final_url,
        CASE WHEN r.capture_id IS NOT NULL THEN r.url_host_name END AS final_host_name,
        CASE WHEN r.capture_id IS NOT NULL THEN r.url_host_registered_domain END AS final_registered_domain,
        CASE WHEN r.site_id IS NULL THEN c.fetch_status ELSE r.fetch_status END AS final_status,
        CASE WHEN r.site_id IS NULL THEN c.access_result WHEN r.redirect_end IS NULL THEN r.access_result END AS final_result,
        CASE WHEN r.site_id IS NULL THEN c.body_id WHEN r.redirect_end IS NULL THEN r.body_id END AS final_body_id,
        CASE WHEN r.site_id IS NULL THEN c.repeats WHEN r.redirect_end IS NULL THEN r.repeats END AS final_repeats
    FROM chosen_captures AS c
    LEFT JOIN resolved_chains AS r ON r.site_id = c.site_id
),
-- A capture that repeats another has no body of its own and gives the digest of the other.
repeated_bodies AS (
    SELECT b.content_digest, min(b.body_id) AS body_id
    FROM bodies AS b
    WHERE b.crawl = $crawl AND b.content_digest IN (SELECT final_repeats FROM final_captures WHERE final_repeats IS NOT NULL)
    GROUP BY b.content_digest
),
sites_with_body AS (
    SELECT f.*, coalesce(f.final_body_id, p.body_id) AS read_body_id
    FROM final_captures AS f
    LEFT JOIN repeated_bodies AS p ON p.content_digest = f.final_repeats
),
sites_with_outcome AS (
    SELECT
        r.*,
        CASE
            WHEN r.redirect_end IS NOT NULL THEN 'redirect_unresolved'
            WHEN r.final_result = 'unavailable' THEN 'unavailable'
            WHEN r.final_result = 'unreachable' THEN 'unreachable'
            WHEN r.read_body_id IS NULL THEN 'no_capture'
            WHEN b.kind IN ('html', 'xml', 'json', 'binary') THEN 'not_robots'
            WHEN b.rule_count > 0 THEN 'rules'
            ELSE 'no_rules'
        END AS outcome
    FROM sites_with_body AS r
    LEFT JOIN bodies AS b ON b.crawl = $crawl AND b.body_id = r.read_body_id
)
SELECT
    r.site_id,
    r.url_protocol,
    r.url_host_name,
    CAST(r.port AS int) AS url_port,
    r.url_host_tld,
    r.url_host_registered_domain,
    r.url_host_private_domain,
    r.captures,
    r.capture_id,
    r.fetch_time,
    r.fetch_status,
    r.access_result,
    CAST(r.hops AS int) AS hops,
    r.final_capture_id,
    r.final_url,
    r.final_host_name,
    r.final_registered_domain,
    r.final_status,
    r.outcome,
    robots_outcome_access(r.outcome, r.final_status) AS access_without_rules,
    r.redirect_end,
    CASE WHEN r.redirect_end IS NULL AND r.final_result NOT IN ('unavailable', 'unreachable') THEN r.read_body_id END AS body_id
FROM sites_with_outcome AS r
ORDER BY r.site_id
