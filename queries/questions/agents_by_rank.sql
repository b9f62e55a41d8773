-- title: Agents named, by rank of the site
-- id: D02
-- question: How does the share of sites that name an agent change with their rank?
-- grain: one row per crawl, stratum and agent
-- reads: stratum_bodies, strata, policies
-- parameter: by one of none tld rank rank-cumulative category = rank, stratum: what the answer is split by
-- parameter: top integer = 20, agents: how many, those named by most sites of all crawls and strata first
-- parameter: rules one of any some = any, naming: any: named at all; some: named in groups with at least one rule
-- caveat: an agent that no site of a stratum names has no row there
-- caveat: without a list of ranks (--table ranks=FILE) all sites are unranked
-- caveat: buckets of rank exclude one another, cumulative ones contain one another; figures of the two kinds cannot be compared
WITH naming AS (
    SELECT h.crawl, h.stratum, p.token AS agent, sum(h.weight) AS sites
    FROM stratum_bodies AS h
    JOIN policies AS p ON p.crawl = h.crawl AND p.body_id = h.body_id
    WHERE p.is_written AND ($rules = 'any' OR p.allow_rules + p.disallow_rules > 0)
    GROUP BY h.crawl, h.stratum, p.token
),
summed AS (
    SELECT *, sum(sites) OVER (PARTITION BY agent) AS sites_of_all FROM naming
),
placed AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY sites_of_all DESC, agent) AS bigint) AS place FROM summed
)
SELECT
    p.crawl,
    p.stratum,
    $by AS split_by,
    p.agent,
    p.sites,
    c.sites_counted,
    p.sites / nullif(c.sites_counted, 0) AS share
FROM placed AS p
JOIN strata AS c ON c.crawl = p.crawl AND c.stratum = p.stratum
WHERE p.place <= $top
ORDER BY p.crawl, p.place, p.stratum
