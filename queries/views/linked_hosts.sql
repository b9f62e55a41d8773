-- title: Hosts in records
-- question: To which host does the value of a Sitemap or License record point?
-- grain: one row per Sitemap or License record
-- reads: records
-- caveat: scheme and host are null if the value is not an absolute URL with a host: if it does not start with a scheme, :// and a host. They are in lower case, and host is without user, password, port and a dot at its end. An IPv6 address has its brackets.
-- caveat: A host name in other letters is as written, such as münchen.de. Tables have hosts in Punycode, such as xn--mnchen-3ya.de, so the two differ.
WITH records_with_urls AS (
    SELECT
        crawl,
        body_id,
        line_no,
        record,
        value,
        -- A relative URL may have :// in its query.
        CASE WHEN strpos(value, '://') > 1 AND translate(lower(split_part(value, '://', 1)), 'abcdefghijklmnopqrstuvwxyz0123456789+-.', '') = ''
            THEN lower(split_part(value, '://', 1)) END AS scheme,
        split_part(split_part(split_part(split_part(value, '://', 2), '/', 1), '?', 1), '#', 1) AS authority
    FROM records
    WHERE record IN ('sitemap', 'license')
),
-- A password may have an @, too.
host_ports AS (
    SELECT *, CASE WHEN scheme IS NOT NULL THEN lower(reverse(split_part(reverse(authority), '@', 1))) END AS host_port
    FROM records_with_urls
),
written_hosts AS (
    SELECT
        *,
        CASE WHEN starts_with(host_port, '[') THEN split_part(host_port, ']', 1) || ']' ELSE split_part(host_port, ':', 1) END AS written_host
    FROM host_ports
),
-- Hosts of other tables have no dot at the end.
record_hosts AS (
    SELECT
        *,
        nullif(
            CASE WHEN substr(written_host, length(written_host), 1) = '.' THEN substr(written_host, 1, length(written_host) - 1) ELSE written_host END,
            ''
        ) AS host
    FROM written_hosts
)
SELECT crawl, body_id, line_no, record, value, CASE WHEN host IS NOT NULL THEN scheme END AS scheme, host
FROM record_hosts
