-- title: Rules with www. and without
-- id: J02
-- question: How often does a domain say other things in its robots.txt than its host www.?
-- grain: one row per crawl, difference, and what the two sides allow
-- reads: sites, site_access, bodies
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: agent agent = *, token: the tracked agent whose verdicts are compared; the star is a crawler that no file names
-- caveat: Only registered domains count of which a crawl captured both, over one scheme and port; a domain that was captured over http and https counts as two pairs. Shares are of those pairs and not of all domains.
-- caveat: one answer: redirects lead both to one capture. other verdict: the agent may fetch another part (all, part, none), or / is decided in another way. other rules: the verdict is the same and the rules are not. same rules: two files, one set of rules, whatever their comments. no rules: neither has any. not known: a redirect leads to no answer, or the agent is not tracked.
-- caveat: A verdict counts 4xx as leave to fetch all and 5xx as a refusal, as RFC 9309 has it, so that a server which fails on one side only makes another verdict.
-- caveat: same rules are those of groups; rules before the first user-agent line hold for nobody and are not compared
WITH paired AS (
    SELECT
        d.crawl,
        d.site_id AS apex_site_id,
        w.site_id AS www_site_id,
        d.final_capture_id AS apex_capture_id,
        w.final_capture_id AS www_capture_id,
        d.body_id AS apex_body_id,
        w.body_id AS www_body_id
    FROM sites AS d
    JOIN sites AS w
        ON w.crawl = d.crawl
        AND w.url_host_name = 'www.' || d.url_host_name
        AND w.url_protocol = d.url_protocol
        AND w.url_port = d.url_port
    WHERE d.url_host_name = d.url_host_registered_domain AND ($crawl = '' OR d.crawl = $crawl)
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
        a.access AS apex_access,
        b.access AS www_access,
        CASE
            WHEN p.apex_capture_id = p.www_capture_id THEN 'one answer'
            WHEN a.access IS NULL OR b.access IS NULL THEN 'not known'
            WHEN a.access <> b.access OR a.root_allowed <> b.root_allowed THEN 'other verdict'
            WHEN r.ruleset_digest = q.ruleset_digest THEN 'same rules'
            WHEN r.ruleset_digest IS NULL AND q.ruleset_digest IS NULL THEN 'no rules'
            ELSE 'other rules'
        END AS difference
    FROM paired AS p
    LEFT JOIN said AS a ON a.crawl = p.crawl AND a.site_id = p.apex_site_id
    LEFT JOIN said AS b ON b.crawl = p.crawl AND b.site_id = p.www_site_id
    LEFT JOIN ruled AS r ON r.crawl = p.crawl AND r.body_id = p.apex_body_id
    LEFT JOIN ruled AS q ON q.crawl = p.crawl AND q.body_id = p.www_body_id
),
counted AS (
    SELECT
        crawl,
        difference,
        coalesce(apex_access, 'not known') AS apex_access,
        coalesce(www_access, 'not known') AS www_access,
        count(*) AS pairs
    FROM compared
    GROUP BY crawl, difference, coalesce(apex_access, 'not known'), coalesce(www_access, 'not known')
),
shared AS (
    SELECT *, sum(pairs) OVER (PARTITION BY crawl) AS pairs_counted
    FROM counted
)
SELECT
    crawl,
    difference,
    apex_access,
    www_access,
    pairs,
    pairs_counted,
    CAST(pairs AS double) / nullif(pairs_counted, 0) AS share
FROM shared
ORDER BY crawl, difference, apex_access, www_access
