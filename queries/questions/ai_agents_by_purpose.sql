-- title: AI agents blocked, one by one, by purpose
-- id: E02
-- question: Within each purpose, which AI agents are blocked by most sites, and how does that change from crawl to crawl?
-- grain: one row per crawl, stratum, purpose and agent
-- reads: strata, voices, voice_blocking, agents
-- parameter: top integer = 5, agents: how many of each purpose, those blocked by name by the greatest share in any crawl and stratum first
-- caveat: an agent with several purposes stands under each
-- caveat: the list of agents is of one day; no site could block an agent before it had a name
WITH purposes AS (
    SELECT purpose
    FROM (VALUES ('training'), ('dataset'), ('data-provider'), ('search'), ('user-fetch'), ('agent'), ('research')) AS listed (purpose)
),
ai AS (
    SELECT lower(a.token) AS agent, p.purpose
    FROM agents AS a
    JOIN purposes AS p ON strpos(' ' || a.purposes || ' ', ' ' || p.purpose || ' ') > 0
    WHERE a.is_ai AND a.tracked
),
told AS (
    SELECT
        p.crawl,
        p.stratum,
        b.agent,
        sum(p.weight) AS sites,
        sum(CASE WHEN b.match_kind = 'explicit' THEN p.weight ELSE 0 END) AS sites_by_name
    FROM voices AS p
    JOIN voice_blocking AS b ON b.crawl = p.crawl AND b.voice_id = p.voice_id
    WHERE b.blocked
    GROUP BY p.crawl, p.stratum, b.agent
),
shared AS (
    SELECT
        c.crawl,
        c.stratum,
        a.purpose,
        a.agent,
        coalesce(t.sites, 0) AS sites,
        coalesce(t.sites_by_name, 0) AS sites_by_name,
        c.sites_counted,
        coalesce(t.sites, 0) / nullif(c.sites_counted, 0) AS share,
        coalesce(t.sites_by_name, 0) / nullif(c.sites_counted, 0) AS share_by_name
    FROM strata AS c
    CROSS JOIN ai AS a
    LEFT JOIN told AS t ON t.crawl = c.crawl AND t.stratum = c.stratum AND t.agent = a.agent
),
greatest_of AS (
    SELECT purpose, agent, max(share_by_name) AS greatest_share FROM shared GROUP BY purpose, agent
),
-- Sums of weights that are fractions differ in their last digits from run to run, and an order must not.
placed AS (
    SELECT
        purpose,
        agent,
        CAST(row_number() OVER (PARTITION BY purpose ORDER BY round(greatest_share, 9) DESC, agent) AS bigint) AS place
    FROM greatest_of
)
SELECT
    s.crawl,
    s.stratum,
    s.purpose,
    p.place,
    s.agent,
    s.sites,
    s.sites_by_name,
    s.sites_counted,
    s.share,
    s.share_by_name
FROM shared AS s
JOIN placed AS p ON p.purpose = s.purpose AND p.agent = s.agent
WHERE p.place <= $top
ORDER BY s.crawl, s.stratum, s.purpose, p.place
