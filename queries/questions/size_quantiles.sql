-- title: Quantiles of the sizes of robots.txt files
-- id: B01
-- question: How long are the robots.txt files of sites, from the shortest to the longest?
-- grain: one row per crawl, stratum and quantile
-- reads: population, bodies, weight_slack
-- parameter: denominator = read: which sites are counted, as in population; sites without a file have no length and are not in sites_counted
-- caveat: A quantile is the smallest length that the files of at least that share of sites do not exceed, without interpolation. 0 is the shortest file and 1 the longest.
-- caveat: The length is that of the decoded body, in bytes. A body that the archive cut has the length that was kept.
WITH sites_by_size AS (
    SELECT p.crawl, p.stratum, b.body_bytes, sum(p.weight) AS sites
    FROM population AS p
    JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, b.body_bytes
),
cumulative_sites AS (
    SELECT
        *,
        sum(sites) OVER (
            PARTITION BY crawl, stratum ORDER BY body_bytes ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS sites_so_far,
        sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted
    FROM sites_by_size
),
-- The rest is taken as a little smaller than it is, so that rounding does not move an exact boundary.
cumulative_shares AS (
    SELECT c.*, 1 - CAST(c.sites_counted - c.sites_so_far AS double) / nullif(c.sites_counted * (1 + w.slack), 0) AS share_so_far
    FROM cumulative_sites AS c
    CROSS JOIN weight_slack AS w
)
SELECT
    c.crawl,
    c.stratum,
    q.quantile,
    min(CASE WHEN c.share_so_far >= q.quantile THEN c.body_bytes END) AS body_bytes,
    max(c.sites_counted) AS sites_counted
FROM cumulative_shares AS c
CROSS JOIN (VALUES
    (0.0), (0.01), (0.05), (0.1), (0.25), (0.5), (0.75), (0.9), (0.95), (0.99), (0.999), (1.0)
) AS q (quantile)
GROUP BY c.crawl, c.stratum, q.quantile
ORDER BY c.crawl, c.stratum, q.quantile
