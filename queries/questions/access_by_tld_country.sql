-- title: Outcomes of fetching robots.txt, by suffix of the host name
-- id: A04
-- question: How do the outcomes of fetching robots.txt differ between top-level domains or public suffixes?
-- grain: one row per crawl, stratum, suffix and outcome, for the suffixes with the most sites
-- reads: population
-- parameter: level one of tld registry private = tld, suffix: which suffix of the host name; tld: the last label; registry: a public suffix, such as co.uk; private: also suffixes in the private section of the public suffix list, such as blogspot.com
-- parameter: top count = 20, suffixes: how many suffixes per crawl and stratum, most sites first
-- parameter: minimum count = 1, sites: omits suffixes with fewer sites
-- parameter: denominator = all
-- column: suffix: suffix of the host name, of the kind that --level chooses; none if there is none
-- column: is_country: true if the last label of the suffix has two letters, as those of countries do
-- column: outcome: what became of the robots.txt: rules, no_rules, not_robots, unavailable, unreachable, redirect_unresolved, no_capture
-- column: sites: sites with this suffix and outcome
-- column: sites_counted: counted sites with this suffix, which is the denominator
-- caveat: is_country is true for top-level domains of two letters, which belong to countries. It says neither where a host is located nor who runs it: many such domains are sold to anyone. Country domains in other scripts are not recognised.
-- caveat: IP addresses have no suffix. For registry and private, neither has a host with an unknown suffix, nor one that is such a suffix itself, such as github.io for private.
WITH site_suffixes AS (
    SELECT
        p.crawl,
        p.stratum,
        p.outcome,
        p.weight,
        CASE $level
            WHEN 'tld' THEN p.url_host_tld
            WHEN 'registry'
                THEN substr(p.url_host_registered_domain, strpos(p.url_host_registered_domain, '.') + 1)
            ELSE substr(p.url_host_private_domain, strpos(p.url_host_private_domain, '.') + 1)
        END AS suffix
    FROM population AS p
),
sites_by_outcome AS (
    SELECT
        crawl,
        stratum,
        coalesce(suffix, 'none') AS suffix,
        outcome,
        sum(weight) AS sites,
        count(*) AS unweighted_sites
    FROM site_suffixes
    GROUP BY crawl, stratum, coalesce(suffix, 'none'), outcome
),
suffix_totals AS (
    SELECT
        *,
        sum(sites) OVER (PARTITION BY crawl, stratum, suffix) AS sites_counted,
        sum(unweighted_sites) OVER (PARTITION BY crawl, stratum, suffix) AS unweighted_sites_counted
    FROM sites_by_outcome
),
ranked_suffixes AS (
    SELECT *, CAST(dense_rank() OVER (PARTITION BY crawl, stratum ORDER BY sites_counted DESC, suffix) AS bigint) AS place
    FROM suffix_totals
)
SELECT
    crawl,
    stratum,
    suffix,
    suffix LIKE '__' OR suffix LIKE '%.__' AS is_country,
    outcome,
    sites,
    sites_counted,
    CAST(sites AS double) / nullif(sites_counted, 0) AS share
FROM ranked_suffixes
WHERE place <= $top AND unweighted_sites_counted >= $minimum
ORDER BY crawl, stratum, place, sites DESC, outcome
