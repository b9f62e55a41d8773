-- title: Sites whose robots.txt is over 500 KiB
-- id: B02
-- question: What share of sites has a robots.txt over the length that a crawler must read?
-- grain: one row per crawl and stratum
-- reads: population, bodies
-- parameter: limit_bytes count = 512000, bytes: the length; RFC 9309 section 2.5 requires at least 500 KiB
-- parameter: denominator = read
-- column: sites_over: sites whose file is longer than --limit-bytes
-- column: share: sites_over divided by sites_counted
-- column: sites_over_with_rules: of sites_over, those whose file is a robots.txt with rules
-- column: contents_over: distinct files longer than --limit-bytes
-- column: longest_bytes: length of the longest file, in bytes; null if no site has a file
-- caveat: Archives cut long bodies; those of Common Crawl did so at 1 MiB for many years. No body is longer than the limit of its archive.
-- caveat: contents_over counts distinct bodies. Pages and other data in place of a robots.txt count as well; sites_over_with_rules leaves them out, even if they have rules.
WITH file_sizes AS (
    SELECT p.crawl, p.stratum, p.weight, b.body_bytes, b.content_digest, p.outcome
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
),
stratum_sizes AS (
    SELECT
        crawl,
        stratum,
        sum(CASE WHEN body_bytes > $limit_bytes THEN weight ELSE 0 END) AS sites_over,
        sum(CASE WHEN body_bytes > $limit_bytes AND outcome = 'rules' THEN weight ELSE 0 END) AS sites_over_with_rules,
        sum(weight) AS sites_counted,
        count(DISTINCT CASE WHEN body_bytes > $limit_bytes THEN content_digest END) AS contents_over,
        max(body_bytes) AS longest_bytes
    FROM file_sizes
    GROUP BY crawl, stratum
)
SELECT
    crawl,
    stratum,
    sites_over,
    sites_counted,
    CAST(sites_over AS double) / nullif(sites_counted, 0) AS share,
    sites_over_with_rules,
    contents_over,
    longest_bytes
FROM stratum_sizes
ORDER BY crawl, stratum
