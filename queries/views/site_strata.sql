-- title: Strata of sites
-- question: In which strata is each site, by the chosen split?
-- grain: one row per site and stratum; stratum is null for a site in no stratum, which only occurs with rank-cumulative
-- reads: sites, captures, ranks, categories
-- parameter: by = none: how the answer is split; none: one stratum; tld: by top-level domain; rank: by rank in the table ranks; rank-cumulative: as rank, but the top 10,000 include the top 1,000, and a site counts once for each such stratum in an order over all strata; category: by the table categories; server: by the server product that the last answer after redirects names, or the site's own answer if redirects lead to no capture, such as nginx; several, separated by commas: by all of them together, in the order rank, tld, category, server, as in 1 to 1,000 / de
-- caveat: With several splits, the name of a stratum has their values in the order of this list, separated by slashes.
WITH ranked_hosts AS (
    -- Lists that are not needed are empty, so that the joins below cost nothing.
    SELECT host, rank FROM ranks WHERE 'rank' IN ($by) OR 'rank-cumulative' IN ($by)
),
host_categories AS (
    SELECT host, category FROM categories WHERE 'category' IN ($by)
),
-- The product of the server, such as nginx for nginx/1.18.0 (Ubuntu).
capture_servers AS (
    SELECT crawl, capture_id, lower(split_part(split_part(trim(server), '/', 1), ' ', 1)) AS server
    FROM captures
    WHERE 'server' IN ($by)
),
classified_sites AS (
    SELECT
        s.*,
        -- Typed, because Trino rejects a view with a column of untyped nulls.
        CAST(coalesce(h.rank, d.rank) AS bigint) AS rank,
        coalesce(hc.category, dc.category, 'none') AS category,
        coalesce(nullif(cs.server, ''), 'none') AS server
    FROM sites AS s
    LEFT JOIN ranked_hosts AS h ON h.host = s.url_host_name
    LEFT JOIN ranked_hosts AS d ON d.host = s.url_host_registered_domain
    LEFT JOIN host_categories AS hc ON hc.host = s.url_host_name
    LEFT JOIN host_categories AS dc ON dc.host = s.url_host_registered_domain
    -- If redirects lead to no capture, the site's own answer counts.
    LEFT JOIN capture_servers AS cs ON cs.crawl = s.crawl AND cs.capture_id = coalesce(s.final_capture_id, s.capture_id)
),
top_sites AS (
    SELECT *, CAST(NULL AS varchar) AS top, true AS is_first_stratum FROM classified_sites WHERE 'rank-cumulative' NOT IN ($by)
    UNION ALL
    SELECT c.*, t.top, t.most = 1000 OR c.rank > t.most / 10 AS is_first_stratum
    FROM classified_sites AS c
    JOIN (VALUES (1000, 'top 1,000'), (10000, 'top 10,000'), (100000, 'top 100,000'), (1000000, 'top 1,000,000')) AS t (most, top)
        ON c.rank <= t.most
    WHERE 'rank-cumulative' IN ($by)
    UNION ALL
    SELECT *, CAST(NULL AS varchar) AS top, true AS is_first_stratum
    FROM classified_sites
    WHERE 'rank-cumulative' IN ($by) AND coalesce(rank > 1000000, true)
)
SELECT
    *,
    CASE WHEN 'rank-cumulative' NOT IN ($by) OR top IS NOT NULL THEN coalesce(
        nullif(
            concat_ws(
                ' / ',
                CASE WHEN 'rank-cumulative' IN ($by) THEN top END,
                CASE WHEN 'rank' IN ($by) THEN CASE
                    WHEN rank <= 1000 THEN '1 to 1,000'
                    WHEN rank <= 10000 THEN '1,001 to 10,000'
                    WHEN rank <= 100000 THEN '10,001 to 100,000'
                    WHEN rank <= 1000000 THEN '100,001 to 1,000,000'
                    WHEN rank IS NOT NULL THEN 'beyond 1,000,000'
                    ELSE 'unranked'
                END END,
                CASE WHEN 'tld' IN ($by) THEN coalesce(url_host_tld, 'address') END,
                CASE WHEN 'category' IN ($by) THEN category END,
                CASE WHEN 'server' IN ($by) THEN server END
            ),
            ''
        ),
        'all'
    ) END AS stratum
FROM top_sites
