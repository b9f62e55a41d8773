-- title: Agents favoured and penalised
-- id: D06
-- question: Is an agent blocked by more sites than a crawler that no file names, or by fewer?
-- grain: one row per crawl, stratum and agent
-- reads: strata, voices, voice_blocking, agents
-- parameter: top integer = 100, agents: how many for each crawl and stratum, the most penalised first
-- parameter: least integer = 1, sites: agents that fewer sites treat otherwise than the star are left out
-- caveat: the ratio is of sites that block the agent to sites that block the star; its logarithm is to the base 2, so that 1 is twice as many and -1 half as many
-- caveat: a definition that asks for the name (d1, d2, d3, d7) has no star to compare with
WITH blocks AS (
    SELECT p.crawl, p.stratum, p.voice_id, p.weight, b.agent
    FROM voices AS p
    JOIN voice_blocking AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    WHERE b.blocked
),
star AS (
    SELECT crawl, stratum, voice_id, weight FROM blocks WHERE agent = '*'
),
star_sites AS (
    SELECT crawl, stratum, sum(weight) AS sites_star FROM star GROUP BY crawl, stratum
),
-- A site that blocks both treats them alike.
told AS (
    SELECT
        b.crawl,
        b.stratum,
        b.agent,
        sum(b.weight) AS sites,
        sum(CASE WHEN s.voice_id IS NULL THEN b.weight ELSE 0 END) AS sites_penalising
    FROM blocks AS b
    LEFT JOIN star AS s ON s.crawl = b.crawl AND s.stratum = b.stratum AND s.voice_id = b.voice_id
    WHERE b.agent <> '*'
    GROUP BY b.crawl, b.stratum, b.agent
),
agent AS (
    SELECT lower(token) AS agent FROM agents WHERE tracked
),
compared AS (
    SELECT
        c.crawl,
        c.stratum,
        a.agent,
        c.sites_counted,
        coalesce(s.sites_star, 0) AS sites_star,
        coalesce(t.sites, 0) AS sites,
        coalesce(t.sites_penalising, 0) AS sites_penalising,
        coalesce(s.sites_star, 0) - (coalesce(t.sites, 0) - coalesce(t.sites_penalising, 0)) AS sites_favouring
    FROM strata AS c
    CROSS JOIN agent AS a
    LEFT JOIN star_sites AS s ON s.crawl = c.crawl AND s.stratum = c.stratum
    LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.agent = a.agent
),
placed AS (
    SELECT
        *,
        CAST(row_number() OVER (PARTITION BY crawl, stratum ORDER BY sites_penalising - sites_favouring DESC, sites DESC, agent) AS bigint) AS place
    FROM compared
    WHERE sites_penalising + sites_favouring >= $least
)
SELECT
    crawl,
    stratum,
    agent,
    sites,
    sites_star,
    sites_counted,
    sites / nullif(sites_counted, 0) AS share,
    sites_star / nullif(sites_counted, 0) AS share_star,
    sites / nullif(sites_star, 0) AS ratio,
    log2(nullif(sites, 0) / nullif(sites_star, 0)) AS log_ratio,
    sites_favouring,
    sites_penalising
FROM placed
WHERE place <= $top
ORDER BY crawl, stratum, place
