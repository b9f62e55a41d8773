-- title: Encodings and bytes
-- id: C08
-- question: Which encodings, line ends and unusual bytes do robots.txt files have?
-- grain: one row per crawl, stratum, property and value
-- reads: stratum_totals, stratum_contents, bodies, violations
-- parameter: denominator = read
-- column: property: encoding, valid UTF-8, byte order mark, line ends, bytes
-- column: value: the value of the property; for bytes, the name of a violation from docs/violations.md
-- column: bodies: distinct files that have this value
-- column: bodies_counted: distinct files of the counted sites, which is the denominator
-- column: share_of_bodies: bodies divided by bodies_counted
-- column: sites: sites whose file has this value
-- caveat: A file has one value of each of the properties encoding, valid UTF-8, byte order mark and line ends, so the shares of a property add up to 1. It may have several values of the property bytes, which are the violations bom-misplaced, bom-mojibake, bom-before-comment, nul-byte, path-control-char, comment-control-char, path-invalid-utf8, comment-invalid-utf8, path-non-ascii, ua-non-ascii and file-binary.
-- caveat: RFC 9309 section 2.3 requires UTF-8. Pages and binary answers in place of a robots.txt count as well.
WITH body_encodings AS (
    SELECT b.crawl, c.stratum, b.encoding, b.is_utf8, b.has_bom, b.line_endings, c.weight AS sites
    FROM bodies AS b
    JOIN stratum_contents AS c ON c.crawl = b.crawl AND c.body_id = b.body_id
),
byte_violations AS (
    SELECT DISTINCT v.crawl, c.stratum, v.body_id, v.code, c.weight AS sites
    FROM violations AS v
    JOIN stratum_contents AS c ON c.crawl = v.crawl AND c.body_id = v.body_id
    WHERE v.code IN (
        'bom-misplaced', 'bom-mojibake', 'bom-before-comment', 'nul-byte', 'path-control-char', 'comment-control-char',
        'path-invalid-utf8', 'comment-invalid-utf8', 'path-non-ascii', 'ua-non-ascii', 'file-binary'
    )
),
property_totals AS (
    SELECT crawl, stratum, 'encoding' AS property, encoding AS value, count(*) AS bodies, sum(sites) AS sites
    FROM body_encodings GROUP BY crawl, stratum, encoding
    UNION ALL
    SELECT crawl, stratum, 'valid UTF-8', CASE WHEN is_utf8 THEN 'yes' ELSE 'no' END, count(*), sum(sites)
    FROM body_encodings GROUP BY crawl, stratum, is_utf8
    UNION ALL
    SELECT crawl, stratum, 'byte order mark', CASE WHEN has_bom THEN 'yes' ELSE 'no' END, count(*), sum(sites)
    FROM body_encodings GROUP BY crawl, stratum, has_bom
    UNION ALL
    SELECT crawl, stratum, 'line ends', line_endings, count(*), sum(sites)
    FROM body_encodings GROUP BY crawl, stratum, line_endings
    UNION ALL
    SELECT crawl, stratum, 'bytes', code, count(*), sum(sites)
    FROM byte_violations GROUP BY crawl, stratum, code
)
SELECT
    p.crawl,
    p.stratum,
    p.property,
    p.value,
    p.bodies,
    c.bodies_counted,
    CAST(p.bodies AS double) / nullif(c.bodies_counted, 0) AS share_of_bodies,
    p.sites,
    c.sites_counted,
    CAST(p.sites AS double) / nullif(c.sites_counted, 0) AS share
FROM property_totals AS p
JOIN stratum_totals AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
ORDER BY p.crawl, p.stratum, p.property, p.sites DESC, p.value
