-- title: Rules before any user-agent line
-- id: C02
-- question: What share of sites has allow or disallow lines before the first user-agent line, which no crawler has to obey?
-- grain: one row per crawl, stratum and what follows these rules: groups, or no user-agent line at all
-- reads: stratum_totals, stratum_contents, bodies, rules
-- parameter: denominator = read
-- column: what_follows: what the file has after these rules: groups, or no user-agent line
-- column: rules: allow and disallow lines before the first user-agent line, in distinct files
-- column: sites: sites whose file has such rules and this what_follows
-- column: sites_disallowing_all: of these sites, those where such a rule is exactly Disallow: / or Disallow: /*
-- caveat: RFC 9309 section 2.2.2 does not mention such rules, and robocensus ignores them. Some crawlers apply them to all agents if no user-agent line follows.
-- caveat: sites_disallowing_all counts sites where such a rule is exactly Disallow: / or Disallow: /*. The owner probably meant to block all crawlers.
WITH ungrouped_rules AS (
    SELECT
        crawl,
        body_id,
        count(*) AS rules,
        max(CASE WHEN NOT allow AND pattern IN ('/', '/*') THEN 1 ELSE 0 END) AS blocks_all
    FROM rules
    WHERE group_no IS NULL
    GROUP BY crawl, body_id
)
SELECT
    c.crawl,
    c.stratum,
    CASE WHEN b.agent_count = 0 THEN 'no user-agent line' ELSE 'groups' END AS what_follows,
    sum(l.rules) AS rules,
    count(*) AS bodies,
    sum(c.weight) AS sites,
    t.sites_counted,
    CAST(sum(c.weight) AS double) / nullif(t.sites_counted, 0) AS share,
    sum(l.blocks_all * c.weight) AS sites_disallowing_all
FROM ungrouped_rules AS l
JOIN stratum_contents AS c ON c.crawl = l.crawl AND c.body_id = l.body_id
JOIN bodies AS b ON b.crawl = l.crawl AND b.body_id = l.body_id
JOIN stratum_totals AS t ON t.crawl = c.crawl AND t.stratum = c.stratum
GROUP BY c.crawl, c.stratum, t.sites_counted, CASE WHEN b.agent_count = 0 THEN 'no user-agent line' ELSE 'groups' END
ORDER BY c.crawl, c.stratum, what_follows
