-- title: Quantiles of the sizes of robots.txt files
-- id: B01
-- question: How long are the robots.txt files of sites, from the shortest to the longest?
-- grain: one row per crawl, stratum and quantile
-- reads: population, bodies
-- parameter: denominator = read: which sites are counted, as in population; sites without a file have no length and are not in sites_counted
-- column: quantile: share of sites, from 0 (the shortest file) to 1 (the longest)
-- column: body_bytes: smallest length, in bytes, that the files of at least this share of sites do not exceed
-- column: sites_counted: counted sites with a file that was read, which is the denominator
-- caveat: A quantile is the smallest length that the files of at least that share of sites do not exceed, without interpolation. 0 is the shortest file and 1 the longest.
-- caveat: The length is that of the decoded body, in bytes. A body that the archive cut has the length that was kept.
WITH sites_by_size AS (
    SELECT p.crawl, p.stratum, b.body_bytes, sum(p.weight) AS sites, sum(p.weight_slack) AS weight_slack
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
        sum(sites) OVER (PARTITION BY crawl, stratum) AS sites_counted,
        sum(weight_slack) OVER (PARTITION BY crawl, stratum) AS slack
    FROM sites_by_size
),
-- Rounding must not move an exact boundary. At most half of the rest counts, so that the quantile 1 stays exact.
cumulative_shares AS (
    SELECT *, CAST(sites_so_far + least(slack, (sites_counted - sites_so_far) / 2) AS double) / nullif(sites_counted, 0) AS share_so_far
    FROM cumulative_sites
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
