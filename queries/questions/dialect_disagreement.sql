-- title: Dialects that disagree with RFC 9309
-- id: C13
-- question: On how many sites does another dialect allow an agent a path that RFC 9309 disallows, or the other way round?
-- grain: one row per crawl, stratum, agent and dialect: the agent, and * for all crawlers that a file does not name
-- reads: robots_body_access, population
-- parameter: denominator = all
-- parameter: agent agent = googlebot, token: the agent to compare with *
-- parameter: path path = /, path: the path
-- parameter: texts boolean = false, readings: also compares google and original-1996, which split lines in their own way; they need the text of files, which `ingest --keep-text` stores
-- parameter: crawl = ''
-- column: agent: the agent of --agent, or * for all crawlers that the file does not name
-- column: dialect: the dialect that is compared with RFC 9309: draft-12, draft-00, google, original-1996
-- column: sites_blocked_by_rfc9309: sites where the agent may not fetch --path by RFC 9309
-- column: sites_blocked: sites where the agent may not fetch --path by the dialect
-- column: sites_only_allowed_here: sites where it may fetch --path by the dialect, but not by RFC 9309
-- column: sites_only_blocked_here: sites where it may fetch --path by RFC 9309, but not by the dialect
-- column: sites_counted: counted sites with a known verdict in both, which is the denominator
-- column: share_blocked: sites_blocked divided by sites_counted
-- column: share_only_allowed_here: sites_only_allowed_here divided by sites_counted
-- column: share_only_blocked_here: sites_only_blocked_here divided by sites_counted
-- caveat: A dialect is RFC 9309, one of its drafts of 2019 (draft-00) and 2022 (draft-12), Google's parser, or the draft of 1996.
-- caveat: Only sites with a known verdict in both dialects are counted. The dialects also differ in what statuses mean.
WITH judged_bodies AS (
    SELECT
        *,
        CAST(NULL AS boolean) AS allowed_google,
        CAST(NULL AS boolean) AS allowed_original_1996,
        CAST(NULL AS boolean) AS others_allowed_google,
        CAST(NULL AS boolean) AS others_allowed_original_1996
    FROM robots_body_access($agent, $path, 'rfc9309', 'draft-12', 'draft-00')
    WHERE NOT $texts AND ($crawl = '' OR crawl = $crawl)
    UNION ALL
    SELECT
        crawl,
        body_id,
        allowed_rfc9309,
        allowed_draft_12,
        allowed_draft_00,
        others_allowed_rfc9309,
        others_allowed_draft_12,
        others_allowed_draft_00,
        allowed_google,
        allowed_original_1996,
        others_allowed_google,
        others_allowed_original_1996
    FROM robots_body_access($agent, $path, 'rfc9309', 'draft-12', 'draft-00', 'google', 'original-1996')
    WHERE $texts AND ($crawl = '' OR crawl = $crawl)
),
sites_by_body_verdicts AS (
    SELECT
        p.crawl,
        p.stratum,
        b.allowed_rfc9309,
        b.allowed_draft_12,
        b.allowed_draft_00,
        b.allowed_google,
        b.allowed_original_1996,
        b.others_allowed_rfc9309,
        b.others_allowed_draft_12,
        b.others_allowed_draft_00,
        b.others_allowed_google,
        b.others_allowed_original_1996,
        sum(p.weight) AS sites
    FROM population AS p
    JOIN judged_bodies AS b ON b.crawl = p.crawl AND b.body_id = p.body_id
    GROUP BY
        p.crawl,
        p.stratum,
        b.allowed_rfc9309,
        b.allowed_draft_12,
        b.allowed_draft_00,
        b.allowed_google,
        b.allowed_original_1996,
        b.others_allowed_rfc9309,
        b.others_allowed_draft_12,
        b.others_allowed_draft_00,
        b.others_allowed_google,
        b.others_allowed_original_1996
),
-- Sites with a file by the verdict on the file, other sites by what their outcome means.
sites_by_verdicts AS (
    SELECT
        crawl,
        stratum,
        $agent AS agent,
        allowed_rfc9309,
        allowed_draft_12,
        allowed_draft_00,
        allowed_google,
        allowed_original_1996,
        sites
    FROM sites_by_body_verdicts
    WHERE $agent <> '*'
    UNION ALL
    SELECT
        crawl,
        stratum,
        '*' AS agent,
        others_allowed_rfc9309 AS allowed_rfc9309,
        others_allowed_draft_12 AS allowed_draft_12,
        others_allowed_draft_00 AS allowed_draft_00,
        others_allowed_google AS allowed_google,
        others_allowed_original_1996 AS allowed_original_1996,
        sites
    FROM sites_by_body_verdicts
    UNION ALL
    SELECT
        p.crawl,
        p.stratum,
        a.agent,
        robots_outcome_access(p.outcome, p.final_status, 'rfc9309', $path) = 'all' AS allowed_rfc9309,
        robots_outcome_access(p.outcome, p.final_status, 'draft-12', $path) = 'all' AS allowed_draft_12,
        robots_outcome_access(p.outcome, p.final_status, 'draft-00', $path) = 'all' AS allowed_draft_00,
        robots_outcome_access(p.outcome, p.final_status, 'google', $path) = 'all' AS allowed_google,
        robots_outcome_access(p.outcome, p.final_status, 'original-1996', $path) = 'all' AS allowed_original_1996,
        p.sites
    FROM (
        SELECT crawl, stratum, outcome, final_status, sum(weight) AS sites
        FROM population
        WHERE body_id IS NULL
        GROUP BY crawl, stratum, outcome, final_status
    ) AS p
    CROSS JOIN (SELECT '*' AS agent UNION SELECT $agent AS agent) AS a
),
verdict_pairs AS (
    SELECT crawl, stratum, agent, 'draft-12' AS dialect, allowed_draft_12 AS allowed, allowed_rfc9309 AS allowed_by_standard, sites
    FROM sites_by_verdicts
    UNION ALL
    SELECT crawl, stratum, agent, 'draft-00' AS dialect, allowed_draft_00 AS allowed, allowed_rfc9309 AS allowed_by_standard, sites
    FROM sites_by_verdicts
    UNION ALL
    SELECT crawl, stratum, agent, 'google' AS dialect, allowed_google AS allowed, allowed_rfc9309 AS allowed_by_standard, sites
    FROM sites_by_verdicts
    WHERE $texts
    UNION ALL
    SELECT crawl, stratum, agent, 'original-1996' AS dialect, allowed_original_1996 AS allowed, allowed_rfc9309 AS allowed_by_standard, sites
    FROM sites_by_verdicts
    WHERE $texts
),
dialect_totals AS (
    SELECT
        crawl,
        stratum,
        agent,
        dialect,
        sum(CASE WHEN allowed_by_standard THEN 0 ELSE sites END) AS sites_blocked_by_rfc9309,
        sum(CASE WHEN allowed THEN 0 ELSE sites END) AS sites_blocked,
        sum(CASE WHEN allowed AND NOT allowed_by_standard THEN sites ELSE 0 END) AS sites_only_allowed_here,
        sum(CASE WHEN allowed_by_standard AND NOT allowed THEN sites ELSE 0 END) AS sites_only_blocked_here,
        sum(sites) AS sites_counted
    FROM verdict_pairs
    WHERE allowed IS NOT NULL AND allowed_by_standard IS NOT NULL
    GROUP BY crawl, stratum, agent, dialect
)
SELECT
    crawl,
    stratum,
    agent,
    dialect,
    sites_blocked_by_rfc9309,
    sites_blocked,
    sites_only_allowed_here,
    sites_only_blocked_here,
    sites_counted,
    CAST(sites_blocked AS double) / nullif(sites_counted, 0) AS share_blocked,
    CAST(sites_only_allowed_here AS double) / nullif(sites_counted, 0) AS share_only_allowed_here,
    CAST(sites_only_blocked_here AS double) / nullif(sites_counted, 0) AS share_only_blocked_here
FROM dialect_totals
ORDER BY crawl, stratum, CASE WHEN agent = '*' THEN 1 ELSE 0 END, agent, dialect
