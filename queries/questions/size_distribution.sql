-- title: Sizes of robots.txt files
-- id: B01
-- question: How long are the robots.txt files of sites, in bytes?
-- grain: one row per crawl, stratum and bin of sizes, including empty bins
-- reads: population, bodies
-- parameter: denominator = read: which sites are counted, as in population; sites without a file are in no bin and are not in sites_counted
-- column: from_bytes: the smallest length in the bin, in bytes
-- column: to_bytes: the greatest length in the bin, in bytes; null for the last bin, which has no upper end
-- column: sites: sites whose file has a length in this bin
-- column: sites_counted: counted sites with a file that was read, which is the denominator
-- column: share_so_far: share of this bin and all bins before it
-- caveat: A bin includes from_bytes and to_bytes. All bins but the first and the last end at a power of two, or at 512,000 bytes (500 KiB). share_so_far is the share of this bin and all before it.
-- caveat: The length is that of the decoded body, in bytes. A body that the archive cut has the length that was kept; see truncated_captures.
-- caveat: Files are counted once per site: a file that a thousand sites serve counts a thousand times.
WITH sites_by_size AS (
    SELECT p.crawl, p.stratum, b.body_bytes, sum(CASE WHEN b.body_id IS NULL THEN 0 ELSE p.weight END) AS sites
    FROM population AS p
    LEFT JOIN bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY p.crawl, p.stratum, b.body_bytes
),
size_bins AS (
    SELECT *
    FROM (VALUES
        (0, 0),
        (1, 16),
        (17, 32),
        (33, 64),
        (65, 128),
        (129, 256),
        (257, 512),
        (513, 1024),
        (1025, 2048),
        (2049, 4096),
        (4097, 8192),
        (8193, 16384),
        (16385, 32768),
        (32769, 65536),
        (65537, 131072),
        (131073, 262144),
        (262145, 512000),
        (512001, 1048576),
        (1048577, NULL)
    ) AS l (from_bytes, to_bytes)
),
bin_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        b.from_bytes,
        b.to_bytes,
        sum(CASE WHEN s.body_bytes >= b.from_bytes AND (b.to_bytes IS NULL OR s.body_bytes <= b.to_bytes)
            THEN s.sites ELSE 0 END) AS sites,
        sum(CASE WHEN b.to_bytes IS NULL OR s.body_bytes <= b.to_bytes THEN s.sites ELSE 0 END) AS sites_so_far,
        sum(s.sites) AS sites_counted
    FROM sites_by_size AS s
    CROSS JOIN size_bins AS b
    GROUP BY s.crawl, s.stratum, b.from_bytes, b.to_bytes
)
SELECT
    crawl,
    stratum,
    from_bytes,
    to_bytes,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share,
    CAST(sites_so_far AS double) / nullif(sites_counted, 0) AS share_so_far
FROM bin_totals
ORDER BY crawl, stratum, from_bytes
