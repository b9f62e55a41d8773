-- title: The longest robots.txt files
-- id: B02
-- question: Which robots.txt files are over the length that a crawler must read, and which sites have them?
-- grain: one row per crawl and distinct body, longest first
-- reads: sites, bodies
-- no strata: it lists files, which sites of several strata may share
-- parameter: crawl = ''
-- parameter: limit_bytes count = 512000, bytes: only longer files; RFC 9309 section 2.5 requires at least 500 KiB
-- parameter: top count = 100, files: how many files per crawl
-- column: place: the place of the row in its crawl, from 1
-- column: content_digest: SHA-1 of the file (of its first 16 MiB), in base32
-- column: body_bytes: length of the file, in bytes
-- column: kind: kind of the file: robots, html, xml, json, binary, empty, comments_only, text
-- column: rules: allow and disallow lines of the file
-- column: rules_beyond_500_kib: of rules, those that do not end within the first 512,000 bytes
-- column: sites: sites that have the file
-- column: host_name: alphabetically first host that has the file
-- caveat: A body that the archive cut has the length that was kept.
-- caveat: host_name is the alphabetically first host that has the file. Bodies are distinct by digest.
WITH long_bodies AS (
    SELECT crawl, body_id, content_digest, body_bytes, kind, rule_count, rules_beyond_500_kib
    FROM bodies
    WHERE body_bytes > $limit_bytes AND ($crawl = '' OR crawl = $crawl)
),
long_contents AS (
    SELECT
        l.crawl,
        l.content_digest,
        max(l.body_bytes) AS body_bytes,
        min(l.kind) AS kind,
        max(l.rule_count) AS rules,
        max(l.rules_beyond_500_kib) AS rules_beyond_500_kib,
        count(*) AS sites,
        min(s.url_host_name) AS host_name
    FROM sites AS s
    JOIN long_bodies AS l ON l.crawl = s.crawl AND l.body_id = s.body_id
    GROUP BY l.crawl, l.content_digest
),
ranked_contents AS (
    SELECT *, CAST(row_number() OVER (PARTITION BY crawl ORDER BY body_bytes DESC, content_digest) AS bigint) AS place
    FROM long_contents
)
SELECT crawl, place, content_digest, body_bytes, kind, rules, rules_beyond_500_kib, sites, host_name
FROM ranked_contents
WHERE place <= $top
ORDER BY crawl, place
