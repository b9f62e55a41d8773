-- title: Listed hosts without a capture
-- id: A09
-- question: How many hosts of a list of ranks have no captured robots.txt in a crawl?
-- grain: one row per crawl and stratum of the list
-- reads: sites, ranks
-- parameter: crawl = ''
-- parameter: by one of rank rank-cumulative = rank, stratum: rank: each host is in one stratum; rank-cumulative: the top 10,000 include the top 1,000
-- parameter: min_sites = 1: omits strata with fewer hosts in the list
-- column: stratum: range of ranks in the list, by --by
-- column: hosts_listed: hosts of the list in this range
-- column: hosts_captured: of hosts_listed, those whose own /robots.txt was captured, with any status
-- column: hosts_captured_below: of hosts_listed, registered domains where only a host below was captured, often www
-- column: hosts_missing: of hosts_listed, all others
-- column: share_missing: hosts_missing divided by hosts_listed
-- caveat: The list is the user's table ranks (--table ranks=FILE); the answer of printed SQL without it is empty. A list made long before or after the crawl has hosts that did not exist at the time.
-- caveat: hosts_captured have a capture of /robots.txt at the host itself, with any status. hosts_captured_below are registered domains, by the ICANN section of the public suffix list, where only a host below was captured, often www. All others are missing.
-- caveat: A host without a capture may have a robots.txt: the crawler may not have wanted the host, or not have reached it.
WITH listed_hosts AS (
    SELECT host, min(rank) AS rank
    FROM ranks
    GROUP BY host
),
host_strata AS (
    SELECT
        host,
        CASE
            WHEN rank <= 1000 THEN '1 to 1,000'
            WHEN rank <= 10000 THEN '1,001 to 10,000'
            WHEN rank <= 100000 THEN '10,001 to 100,000'
            WHEN rank <= 1000000 THEN '100,001 to 1,000,000'
            ELSE 'beyond 1,000,000'
        END AS stratum
    FROM listed_hosts
    WHERE $by = 'rank'
    UNION ALL
    SELECT l.host, t.stratum
    FROM listed_hosts AS l
    JOIN (VALUES
        (1000, 'top 1,000'),
        (10000, 'top 10,000'),
        (100000, 'top 100,000'),
        (1000000, 'top 1,000,000')
    ) AS t (most, stratum)
        ON l.rank <= t.most
    WHERE $by = 'rank-cumulative'
),
captured_names AS (
    SELECT
        s.crawl,
        CASE WHEN l.is_itself = 1 THEN s.url_host_name ELSE s.url_host_registered_domain END AS host,
        l.is_itself
    FROM sites AS s
    CROSS JOIN (VALUES (1), (0)) AS l (is_itself)
    WHERE $crawl = '' OR s.crawl = $crawl
),
found_hosts AS (
    SELECT crawl, host, max(is_itself) AS is_itself
    FROM captured_names
    WHERE host IN (SELECT host FROM ranks)
    GROUP BY crawl, host
),
found_totals AS (
    SELECT f.crawl, h.stratum, count(*) AS hosts_found, sum(f.is_itself) AS hosts_captured
    FROM host_strata AS h
    JOIN found_hosts AS f ON f.host = h.host
    GROUP BY f.crawl, h.stratum
),
listed_totals AS (
    SELECT stratum, count(*) AS hosts_listed
    FROM host_strata
    GROUP BY stratum
    HAVING count(*) >= $min_sites
),
crawl_names AS (
    SELECT crawl
    FROM sites
    WHERE $crawl = '' OR crawl = $crawl
    GROUP BY crawl
),
stratum_hosts AS (
    SELECT
        c.crawl,
        l.stratum,
        l.hosts_listed,
        coalesce(f.hosts_captured, 0) AS hosts_captured,
        coalesce(f.hosts_found, 0) AS hosts_found
    FROM listed_totals AS l
    CROSS JOIN crawl_names AS c
    LEFT JOIN found_totals AS f ON f.crawl = c.crawl AND f.stratum = l.stratum
)
SELECT
    crawl,
    stratum,
    hosts_listed,
    hosts_captured,
    hosts_found - hosts_captured AS hosts_captured_below,
    hosts_listed - hosts_found AS hosts_missing,
    CAST(hosts_listed - hosts_found AS double) / nullif(hosts_listed, 0) AS share_missing
FROM stratum_hosts
ORDER BY crawl, stratum
