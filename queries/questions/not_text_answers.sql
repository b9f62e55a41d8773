-- title: Kinds and media types of answers
-- id: A08
-- question: What share of sites serves a page, JSON or other data as robots.txt, and with which media type?
-- grain: one row per crawl, stratum, kind of body, and media type that the server named
-- reads: population, bodies, captures
-- parameter: denominator = read
-- column: kind: kind of the file: robots, html, xml, json, binary, empty, comments_only, text; none if none was read
-- column: named_type: text/plain, text/html, application/json, application/xml, text/xml, other text, other; none if no type is known
-- column: sites: sites with this kind of file and this named_type
-- caveat: Since about 2021 to 2023, archives of Common Crawl keep text answers only, judged by the named type and the detected one. In later crawls, kinds that are not text are what the filter missed. Crawls before and after this change cannot be compared.
-- caveat: kind depends on the body only: robots, html, xml, json, binary, empty, comments_only or text. It is none where no body was read.
-- caveat: named_type has five media types: text/plain, text/html, application/json, application/xml and text/xml. Any other type that starts with text/ is other text, and all the rest is other. It is none where no type is known.
WITH answer_kinds AS (
    SELECT
        p.crawl,
        p.stratum,
        p.weight,
        coalesce(b.kind, 'none') AS kind,
        CASE
            WHEN c.content_mime_type IS NULL THEN 'none'
            WHEN c.content_mime_type IN ('text/plain', 'text/html', 'application/json', 'application/xml', 'text/xml')
                THEN c.content_mime_type
            WHEN c.content_mime_type LIKE 'text/%' THEN 'other text'
            ELSE 'other'
        END AS named_type
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    LEFT JOIN captures AS c ON c.crawl = p.crawl AND c.capture_id = p.final_capture_id
),
sites_by_kind AS (
    SELECT crawl, stratum, kind, named_type, sum(weight) AS sites
    FROM answer_kinds
    GROUP BY crawl, stratum, kind, named_type
),
kind_shares AS (
    SELECT *, sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted
    FROM sites_by_kind
)
SELECT crawl, stratum, kind, named_type, sites, sites_counted, CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM kind_shares
ORDER BY crawl, stratum, kind, named_type
