-- title: Encodings and bytes
-- id: C08
-- question: In which encoding, with which line ends and with which bytes outside plain text are robots.txt files written?
-- grain: one row per crawl, property and value
-- reads: crawl_totals, contents, bodies, violations
-- caveat: the values of encoding, valid UTF-8, byte order mark and line ends are exclusive, so that their shares add up to 1; a file may have several of the values of bytes
-- caveat: RFC 9309 section 2.3 asks for UTF-8; pages and binary answers are counted with the rest
WITH held AS (
    SELECT b.crawl, b.encoding, b.is_utf8, b.has_bom, b.line_endings, c.sites
    FROM bodies AS b
    JOIN contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
),
odd AS (
    SELECT DISTINCT v.crawl, v.body_id, v.code, c.sites
    FROM violations AS v
    JOIN contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.code IN (
        'bom-misplaced', 'bom-mojibake', 'nul-byte', 'path-control-char', 'comment-control-char', 'path-invalid-utf8',
        'comment-invalid-utf8', 'path-non-ascii', 'ua-non-ascii', 'file-binary'
    )
),
told AS (
    SELECT crawl, 'encoding' AS property, encoding AS value, count(*) AS bodies, sum(sites) AS sites
    FROM held GROUP BY crawl, encoding
    UNION ALL
    SELECT crawl, 'valid UTF-8', CASE WHEN is_utf8 THEN 'yes' ELSE 'no' END, count(*), sum(sites)
    FROM held GROUP BY crawl, is_utf8
    UNION ALL
    SELECT crawl, 'byte order mark', CASE WHEN has_bom THEN 'yes' ELSE 'no' END, count(*), sum(sites)
    FROM held GROUP BY crawl, has_bom
    UNION ALL
    SELECT crawl, 'line ends', line_endings, count(*), sum(sites)
    FROM held GROUP BY crawl, line_endings
    UNION ALL
    SELECT crawl, 'bytes', code, count(*), sum(sites)
    FROM odd GROUP BY crawl, code
)
SELECT
    t.crawl,
    t.property,
    t.value,
    t.bodies,
    n.bodies_counted,
    CAST(t.bodies AS double) / n.bodies_counted AS share_of_bodies,
    t.sites,
    n.sites_counted,
    CAST(t.sites AS double) / n.sites_counted AS share
FROM told AS t
JOIN crawl_totals AS n ON n.crawl = t.crawl
ORDER BY t.crawl, t.property, t.sites DESC, t.value
