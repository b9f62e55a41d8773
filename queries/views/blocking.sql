-- title: Blocking
-- question: Does a site block an agent, in the sense that is asked for?
-- grain: one row per site and tracked agent whose answer is known
-- reads: sites, site_access
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: definition one of exact d1-named d2-named-with-rules d3-named-root d4-only-root d5-root-no-allow d6-one-root-rule d7-named-none d8-root d9-any-subdomain = exact, meaning: what counts as blocked; exact: no path that its rules tell apart may be fetched
-- caveat: d1 to d9 are the published meanings, as docs/definitions.md tells them
WITH said AS (
    SELECT
        crawl,
        site_id,
        agent,
        match_kind,
        access,
        CASE $definition
            WHEN 'd1-named' THEN match_kind = 'explicit'
            WHEN 'd2-named-with-rules' THEN match_kind = 'explicit' AND allow_rules + disallow_rules > 0
            WHEN 'd3-named-root' THEN match_kind = 'explicit' AND has_disallow_root
            WHEN 'd4-only-root' THEN is_only_disallow_root
            WHEN 'd5-root-no-allow' THEN has_disallow_root AND allow_rules = 0
            WHEN 'd6-one-root-rule' THEN allow_rules = 0 AND disallow_rules = 1 AND access = 'none'
            WHEN 'd7-named-none' THEN match_kind = 'explicit' AND access = 'none'
            WHEN 'd8-root' THEN NOT root_allowed
            ELSE access = 'none'
        END AS blocked
    FROM site_access
    WHERE ($crawl = '' OR crawl = $crawl) AND access IS NOT NULL
),
-- What a domain says by the files of its sites. A server that fails says nothing about its neighbours.
refusing AS (
    SELECT DISTINCT s.crawl, s.agent, coalesce(t.url_host_registered_domain, t.url_host_name) AS domain
    FROM said AS s
    JOIN sites AS t ON t.crawl = s.crawl AND t.site_id = s.site_id
    WHERE $definition = 'd9-any-subdomain' AND s.blocked AND t.outcome <> 'unreachable'
)
SELECT crawl, site_id, agent, match_kind, access, blocked FROM said WHERE $definition <> 'd9-any-subdomain'
UNION ALL
SELECT s.crawl, s.site_id, s.agent, s.match_kind, s.access, s.blocked OR r.agent IS NOT NULL AS blocked
FROM said AS s
JOIN sites AS t ON t.crawl = s.crawl AND t.site_id = s.site_id
LEFT JOIN refusing AS r
    ON r.crawl = s.crawl AND r.agent = s.agent AND r.domain = coalesce(t.url_host_registered_domain, t.url_host_name)
WHERE $definition = 'd9-any-subdomain'
