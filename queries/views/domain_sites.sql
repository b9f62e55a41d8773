-- title: Sites that may block more agents because of their domain
-- question: By the definition d9-any-subdomain, for which sites do other policy classes of the domain count, and which of these sites block the same agents?
-- grain: one row per site, if a site of its domain with another policy class blocks a tracked agent; no row by other definitions
-- reads: sites, class_verdicts
-- parameter: crawl = ''
-- parameter: definition = exact
-- caveat: An unreachable site does not count for the other sites of its domain.
-- caveat: least_class_id and greatest_class_id are the least and greatest of the classes of the domain that block an agent. If more classes block, between_id tells the domain, and is_between is 1 for the sites of all classes between these two. Otherwise between_id is -1.
WITH blocking_classes AS (
    SELECT DISTINCT crawl, class_id
    FROM class_verdicts
    WHERE $definition = 'd9-any-subdomain' AND access = 'none' AND ($crawl = '' OR crawl = $crawl)
),
site_domains AS (
    SELECT crawl, site_id, class_id, outcome, coalesce(url_host_registered_domain, url_host_name) AS domain
    FROM sites
    WHERE $definition = 'd9-any-subdomain' AND ($crawl = '' OR crawl = $crawl)
),
-- Here and below, the smaller side of a join comes first, because it is kept in memory.
blocking_domains AS (
    SELECT
        s.crawl,
        s.domain,
        min(s.site_id) AS domain_id,
        min(s.class_id) AS least_class_id,
        max(s.class_id) AS greatest_class_id
    FROM blocking_classes AS b
    JOIN site_domains AS s ON s.crawl = b.crawl AND s.class_id = b.class_id
    WHERE s.outcome <> 'unreachable'
    GROUP BY s.crawl, s.domain
),
-- Where the only class of a domain that blocks is that of the site, the site blocks what its class does.
changed_sites AS (
    SELECT
        s.crawl,
        s.site_id,
        s.class_id,
        d.domain_id,
        d.least_class_id,
        d.greatest_class_id,
        CASE WHEN s.outcome <> 'unreachable' AND s.class_id > d.least_class_id AND s.class_id < d.greatest_class_id
            THEN 1 ELSE 0 END AS is_inside
    FROM blocking_domains AS d
    JOIN site_domains AS s ON s.crawl = d.crawl AND s.domain = d.domain
    WHERE s.class_id <> d.least_class_id OR s.class_id <> d.greatest_class_id
),
sites_between AS (
    SELECT DISTINCT c.crawl, c.domain_id, c.class_id
    FROM blocking_classes AS b
    JOIN changed_sites AS c ON c.crawl = b.crawl AND c.class_id = b.class_id
    WHERE c.is_inside = 1
),
domains_between AS (
    SELECT DISTINCT crawl, domain_id FROM sites_between
),
-- The least and greatest of at most two classes tell the set of classes that block. A set of more is told by its domain.
sites_by_set AS (
    SELECT
        c.crawl,
        c.site_id,
        c.class_id,
        c.least_class_id,
        c.greatest_class_id,
        coalesce(d.domain_id, -1) AS between_id,
        CASE WHEN d.domain_id IS NULL THEN 0 ELSE c.is_inside END AS is_between
    FROM domains_between AS d
    RIGHT JOIN changed_sites AS c ON c.crawl = d.crawl AND c.domain_id = d.domain_id
),
-- Sites with one class and one set block the same agents. Ids of policy classes are -3 or more.
blocking_classes_by_set AS (
    SELECT crawl, class_id, least_class_id, greatest_class_id, between_id, -100 - min(site_id) AS blocking_class_id
    FROM sites_by_set
    GROUP BY crawl, class_id, least_class_id, greatest_class_id, between_id
)
SELECT
    s.crawl,
    s.site_id,
    s.class_id,
    s.least_class_id,
    s.greatest_class_id,
    s.between_id,
    s.is_between,
    b.blocking_class_id
FROM blocking_classes_by_set AS b
JOIN sites_by_set AS s
    ON s.crawl = b.crawl
    AND s.class_id = b.class_id
    AND s.least_class_id = b.least_class_id
    AND s.greatest_class_id = b.greatest_class_id
    AND s.between_id = b.between_id
