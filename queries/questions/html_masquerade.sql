-- title: Pages in place of robots.txt, by media type
-- id: C09
-- question: What share of the sites whose file was read serves a page, structured data or binary data as robots.txt, and with which media type?
-- grain: one row per crawl, stratum, media type of the answer, and kind of body that is not robots.txt
-- reads: population, captures, bodies
-- parameter: denominator = read
-- parameter: top count = 10, rows: how many media types per crawl and stratum, those with the most such sites first
-- column: content_mime_type: media type that the server sent, in lower case; none if it sent none
-- column: kind: kind of the file: html, xml, json, binary
-- column: sites: sites whose file has this kind and media type
-- column: sites_of_type: counted sites whose file has this media type, of whatever kind
-- column: share_of_type: sites divided by sites_of_type
-- column: sites_counted: counted sites with a file that was read, which is the denominator
-- caveat: A body is a page or binary data by its first characters, and JSON if it also has neither a user-agent line nor a rule. A few pages have rules, which other questions count.
-- caveat: Archives that keep text answers only (Common Crawl since 2021 to 2023) have few of them: those that claimed to be text or were detected as text.
-- caveat: sites_of_type counts all sites whose answer has that media type, with a robots.txt or without. share is of the sites whose file was read.
WITH sites_by_type AS (
    SELECT s.crawl, s.stratum, coalesce(lower(c.content_mime_type), 'none') AS content_mime_type, b.kind, b.may_be_robots, sum(s.weight) AS sites
    FROM population AS s
    JOIN captures AS c ON c.crawl = s.crawl AND c.capture_id = s.final_capture_id
    JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, coalesce(lower(c.content_mime_type), 'none'), b.kind, b.may_be_robots
),
type_totals AS (
    SELECT
        crawl,
        stratum,
        content_mime_type,
        sum(sites) AS sites_of_type,
        sum(CASE WHEN may_be_robots THEN 0 ELSE sites END) AS sites_of_others
    FROM sites_by_type
    GROUP BY crawl, stratum, content_mime_type
),
ranked_types AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites_of_others DESC, sites_of_type DESC, content_mime_type) AS bigint) AS place,
        sum(sites_of_type) OVER (PARTITION BY crawl, stratum) AS sites_counted
    FROM type_totals
)
SELECT
    s.crawl,
    s.stratum,
    s.content_mime_type,
    s.kind,
    s.sites,
    r.sites_of_type,
    CAST(s.sites AS double) / nullif(r.sites_of_type, 0) AS share_of_type,
    r.sites_counted,
    CAST(s.sites AS double) / nullif(r.sites_counted, 0) AS share
FROM sites_by_type AS s
JOIN ranked_types AS r ON r.crawl = s.crawl AND r.stratum = s.stratum AND r.content_mime_type = s.content_mime_type
WHERE NOT s.may_be_robots AND r.place <= $top
ORDER BY s.crawl, s.stratum, s.sites DESC, s.content_mime_type, s.kind
