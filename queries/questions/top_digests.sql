-- title: The most common robots.txt files
-- id: I01
-- question: Which exact files, or rule sets, do the most sites have, and what share of sites is that?
-- grain: one row per crawl, stratum and file or rule set
-- reads: strata, stratum_bodies, population, bodies, template_bodies
-- parameter: denominator = read
-- parameter: alike one of file rules = file, sameness: which files are the same; file: files with the same bytes; rules: files with the same groups and rules, whatever their comments and sitemaps
-- parameter: top count = 50, contents: how many files or rule sets, those with the most sites first
-- column: digest: the digest of the file (content_digest in the table bodies), or of its rules (ruleset_digest) with --alike rules
-- column: sites: sites that have this file, or with --alike rules a file with these rules
-- column: share_so_far: sites of this row and of all earlier rows of its crawl and stratum, divided by sites_counted
-- column: domains: how many registered domains these sites have; hosts without a registered domain are omitted
-- column: kind: robots, html, xml, json, binary, empty, comments_only, text: what kind of content the file has
-- column: body_bytes: length of the file in bytes, after all encodings are undone
-- column: rules: how many allow and disallow lines the file has
-- column: template: the template of the file, the alphabetically first of several; null if it has none
-- caveat: Many sites with the same file are mostly sites of one platform or one owner. domains counts registered domains, each once with all its subdomains. It omits hosts without a registered domain.
-- caveat: A digest does not show the content. kind, body_bytes, rules and template are those of one file with that digest. All files without a user-agent line have the same rule set, even if they have rules.
WITH body_digests AS (
    SELECT
        crawl,
        body_id,
        CASE $alike WHEN 'rules' THEN ruleset_digest ELSE content_digest END AS digest,
        kind,
        body_bytes,
        rule_count
    FROM bodies
),
digest_totals AS (
    SELECT s.crawl, s.stratum, b.digest, sum(s.weight) AS sites, min(b.body_id) AS body_id
    FROM stratum_bodies AS s
    JOIN body_digests AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, b.digest
),
ranked_digests AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, digest) AS bigint) AS place
    FROM digest_totals
),
-- The running sum is taken after the ranking, so that only the first digests of a stratum are kept and sorted.
top_digests AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl, stratum ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS sites_so_far
    FROM ranked_digests
    WHERE place <= $top
),
-- Domains are counted only for the digests in the answer.
chosen_bodies AS (
    SELECT crawl, body_id, digest FROM body_digests WHERE digest IN (SELECT digest FROM top_digests)
),
digest_domains AS (
    SELECT p.crawl, p.stratum, b.digest, count(DISTINCT p.url_host_registered_domain) AS domains
    FROM chosen_bodies AS b
    JOIN population AS p ON p.crawl = b.crawl AND p.body_id = b.body_id
    GROUP BY p.crawl, p.stratum, b.digest
),
body_templates AS (
    SELECT crawl, body_id, min(template) AS template FROM template_bodies GROUP BY crawl, body_id
)
SELECT
    t.crawl,
    t.stratum,
    t.place,
    t.digest,
    t.sites,
    s.sites_counted,
    CAST(t.sites AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(t.sites_so_far AS double) / nullif(s.sites_counted, 0) AS share_so_far,
    d.domains,
    b.kind,
    b.body_bytes,
    b.rule_count AS rules,
    e.template
FROM top_digests AS t
JOIN strata AS s ON s.crawl = t.crawl AND s.stratum = t.stratum
JOIN digest_domains AS d ON d.crawl = t.crawl AND d.stratum = t.stratum AND d.digest = t.digest
JOIN body_digests AS b ON b.crawl = t.crawl AND b.body_id = t.body_id
LEFT JOIN body_templates AS e ON e.crawl = t.crawl AND e.body_id = t.body_id
ORDER BY t.crawl, t.stratum, t.place
