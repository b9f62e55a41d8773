-- title: The commonest robots.txt files
-- id: I01
-- question: Which exact files, or sets of rules, do most sites have, and what share of sites is that?
-- grain: one row per crawl, stratum and content
-- reads: strata, stratum_bodies, population, bodies, template_bodies
-- parameter: denominator one of rules read answered decided all = read, sites: which are counted, as in population
-- parameter: alike one of file rules = file, sameness: what makes two files one; file: every byte; rules: groups and rules, comments and sitemaps aside
-- parameter: top integer = 50, contents: how many, those of most sites first
-- caveat: Many sites with one file mostly are sites of one platform, or of one owner; domains tells registered domains, under which a host's subdomains count once. Hosts without one are not among them.
-- caveat: A digest tells files apart and does not say what stands in one; bytes, rules and template are of one that has it. All files without rules are alike by their rules.
WITH digests AS (
    SELECT
        crawl,
        body_id,
        CASE $alike WHEN 'rules' THEN ruleset_digest ELSE content_digest END AS digest,
        kind,
        body_bytes,
        rule_count
    FROM bodies
),
counted AS (
    SELECT s.crawl, s.stratum, d.digest, sum(s.weight) AS sites, min(d.body_id) AS body_id
    FROM stratum_bodies AS s
    JOIN digests AS d ON d.crawl = s.crawl AND d.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, d.digest
),
ranked AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites DESC, digest) AS bigint) AS place,
        sum(sites) OVER (
            PARTITION BY crawl, stratum ORDER BY sites DESC, digest ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS sites_so_far
    FROM counted
),
shown AS (
    SELECT * FROM ranked WHERE place <= $top
),
-- Only of what is shown the domains are counted.
domains AS (
    SELECT p.crawl, p.stratum, d.digest, count(DISTINCT p.url_host_registered_domain) AS domains
    FROM population AS p
    JOIN digests AS d ON d.crawl = p.crawl AND d.body_id = p.body_id
    WHERE d.digest IN (SELECT digest FROM shown)
    GROUP BY p.crawl, p.stratum, d.digest
),
templates_of AS (
    SELECT crawl, body_id, min(template) AS template FROM template_bodies GROUP BY crawl, body_id
)
SELECT
    s.crawl,
    s.stratum,
    s.place,
    s.digest,
    s.sites,
    t.sites_counted,
    s.sites / nullif(t.sites_counted, 0) AS share,
    s.sites_so_far / nullif(t.sites_counted, 0) AS share_so_far,
    d.domains,
    b.kind,
    b.body_bytes,
    b.rule_count AS rules,
    o.template
FROM shown AS s
JOIN strata AS t ON t.crawl = s.crawl AND t.stratum = s.stratum
JOIN domains AS d ON d.crawl = s.crawl AND d.stratum = s.stratum AND d.digest = s.digest
JOIN digests AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
LEFT JOIN templates_of AS o ON o.crawl = s.crawl AND o.body_id = s.body_id
ORDER BY s.crawl, s.stratum, s.place
