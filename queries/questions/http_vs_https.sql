-- title: Rules over http and over https
-- id: J01
-- question: How often does a host say other things in its robots.txt over http than over https?
-- grain: one row per crawl, difference, and what the two sides allow
-- reads: sites, site_access, bodies
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: agent agent = *, token: the tracked agent whose verdicts are compared; the star is a crawler that no file names
-- caveat: Only hosts count of which a crawl captured both, over the ports of the schemes, so that shares are of those and not of all hosts. RFC 9309 has the two be files of their own.
-- caveat: one answer: redirects lead both to one capture. other verdict: the agent may fetch another part (all, part, none), or / is decided in another way. other rules: the verdict is the same and the rules are not. same rules: two files, one set of rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: A verdict counts 4xx as leave to fetch all and 5xx as a refusal, as RFC 9309 has it, so that a server which fails on one side only makes another verdict.
-- caveat: same rules are those of groups; rules before the first user-agent line hold for nobody and are not compared
WITH paired AS (
    SELECT
        h.crawl,
        h.site_id AS http_site_id,
        s.site_id AS https_site_id,
        h.final_capture_id AS http_capture_id,
        s.final_capture_id AS https_capture_id,
        h.body_id AS http_body_id,
        s.body_id AS https_body_id
    FROM sites AS h
    JOIN sites AS s ON s.crawl = h.crawl AND s.url_host_name = h.url_host_name
    WHERE h.url_protocol = 'http'
        AND h.url_port = 80
        AND s.url_protocol = 'https'
        AND s.url_port = 443
        AND ($crawl = '' OR h.crawl = $crawl)
),
said AS (
    SELECT crawl, site_id, access, root_allowed
    FROM site_access
    WHERE agent = $agent
),
-- Of a file without a rule, the digest tells nothing.
ruled AS (
    SELECT crawl, body_id, ruleset_digest
    FROM bodies
    WHERE rule_count > 0
),
compared AS (
    SELECT
        p.crawl,
        a.access AS http_access,
        b.access AS https_access,
        CASE
            WHEN p.http_capture_id = p.https_capture_id THEN 'one answer'
            WHEN a.access IS NULL OR b.access IS NULL THEN 'not known'
            WHEN a.access <> b.access OR a.root_allowed <> b.root_allowed THEN 'other verdict'
            WHEN r.ruleset_digest = q.ruleset_digest THEN 'same rules'
            WHEN r.ruleset_digest IS NULL AND q.ruleset_digest IS NULL THEN 'no rules'
            ELSE 'other rules'
        END AS difference
    FROM paired AS p
    LEFT JOIN said AS a ON a.crawl = p.crawl AND a.site_id = p.http_site_id
    LEFT JOIN said AS b ON b.crawl = p.crawl AND b.site_id = p.https_site_id
    LEFT JOIN ruled AS r ON r.crawl = p.crawl AND r.body_id = p.http_body_id
    LEFT JOIN ruled AS q ON q.crawl = p.crawl AND q.body_id = p.https_body_id
),
counted AS (
    SELECT
        crawl,
        difference,
        coalesce(http_access, 'not known') AS http_access,
        coalesce(https_access, 'not known') AS https_access,
        count(*) AS hosts
    FROM compared
    GROUP BY crawl, difference, coalesce(http_access, 'not known'), coalesce(https_access, 'not known')
),
shared AS (
    SELECT *, sum(hosts) OVER (PARTITION BY crawl) AS hosts_counted
    FROM counted
)
SELECT
    crawl,
    difference,
    http_access,
    https_access,
    hosts,
    hosts_counted,
    CAST(hosts AS double) / nullif(hosts_counted, 0) AS share
FROM shared
ORDER BY crawl, difference, http_access, https_access
