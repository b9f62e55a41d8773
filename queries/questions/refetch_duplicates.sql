-- title: Sites whose robots.txt was captured more than once in a crawl
-- id: A10
-- question: How often does a crawl capture the robots.txt of a site, and do the captures agree?
-- grain: one row per crawl, stratum and number of captures; the last row is for most captures or more
-- reads: sites, site_strata, captures, bodies
-- parameter: crawl = ''
-- parameter: most count = 10, captures: sites with this number of captures or more share a row
-- parameter: min_sites = 1
-- column: captures_of_site: captures of a site's own /robots.txt in the crawl; the value of --most also stands for more
-- column: sites: sites with this number of captures
-- column: sites_counted: captured sites of the stratum, which is the denominator
-- column: captures: captures of these sites, all together
-- column: sites_same_answer: of these sites, those with one status, and one body or none, in all captures; null if none has several captures
-- column: sites_other_body: of these sites, those with several different bodies; null if none has several captures
-- column: sites_other_result: of these sites, those with several access results, such as successful and redirect; null if none has several captures
-- caveat: Only captures of /robots.txt itself count. A site that others redirect to may be captured once for each redirect. A revisit record, which repeats an earlier body, is a capture without a body.
-- caveat: sites_same_answer have the same status and the same body, or no body, in all captures. sites_other_body have several bodies; a site with a body in some captures and none in others is not one of them. sites_other_result have several access results, such as successful and unavailable. A site may be in both sites_other_body and sites_other_result.
-- caveat: If only a part of the crawl was read, sites have fewer captures.
WITH
-- The smaller side of a join comes first, because it is kept in memory. The engine takes captures > 1 for a condition
-- that nearly all sites meet, and would keep all captures instead.
repeated_sites AS (
    SELECT crawl, site_id, url_protocol, url_host_name, url_port
    FROM sites
    WHERE captures NOT IN (0, 1) AND ($crawl = '' OR crawl = $crawl)
),
compared_captures AS (
    SELECT
        r.crawl,
        r.site_id,
        -- Null if no capture has a body.
        min(b.content_digest) <> max(b.content_digest) AS differ_in_body,
        count(b.body_id) NOT IN (0, count(*)) AS only_some_have_a_body,
        min(c.access_result) <> max(c.access_result) AS differ_in_result,
        min(coalesce(c.fetch_status, 0)) <> max(coalesce(c.fetch_status, 0)) AS differ_in_status
    FROM repeated_sites AS r
    JOIN captures AS c
        ON r.crawl = c.crawl
        AND r.url_protocol = c.url_protocol
        AND r.url_host_name = c.url_host_name
        AND r.url_port = coalesce(c.url_port, CASE c.url_protocol WHEN 'https' THEN 443 ELSE 80 END)
    LEFT JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id
    WHERE c.url_path = '/robots.txt' AND c.url_query IS NULL
    GROUP BY r.crawl, r.site_id
),
sites_by_captures AS (
    SELECT
        s.crawl,
        s.stratum,
        CASE WHEN s.captures < $most THEN s.captures ELSE $most END AS captures_of_site,
        count(*) AS sites,
        sum(s.captures) AS captures,
        sum(CASE WHEN NOT c.differ_in_status AND NOT c.only_some_have_a_body AND NOT coalesce(c.differ_in_body, false)
            THEN 1 ELSE 0 END) AS sites_same_answer,
        sum(CASE WHEN c.differ_in_body THEN 1 ELSE 0 END) AS sites_other_body,
        sum(CASE WHEN c.differ_in_result THEN 1 ELSE 0 END) AS sites_other_result
    FROM compared_captures AS c
    RIGHT JOIN site_strata AS s ON s.crawl = c.crawl AND s.site_id = c.site_id
    WHERE s.stratum IS NOT NULL AND ($crawl = '' OR s.crawl = $crawl)
    GROUP BY s.crawl, s.stratum, CASE WHEN s.captures < $most THEN s.captures ELSE $most END
),
capture_shares AS (
    SELECT *, sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted
    FROM sites_by_captures
)
SELECT
    crawl,
    stratum,
    captures_of_site,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    captures,
    -- Null if no site of the row has several captures.
    CASE WHEN captures > sites THEN sites_same_answer END AS sites_same_answer,
    CASE WHEN captures > sites THEN sites_other_body END AS sites_other_body,
    CASE WHEN captures > sites THEN sites_other_result END AS sites_other_result
FROM capture_shares
WHERE sites_counted >= $min_sites
ORDER BY crawl, stratum, captures_of_site
