-- title: Agents restricted, by the classes of Somesite I Used To Crawl
-- id: D03
-- question: What share of sites restricts an agent by name, fully or partly, or by the wildcard group only, as Liu and others (2025) count?
-- grain: one row per crawl, stratum and agent
-- reads: population, class_verdicts, tracked_agents
-- parameter: denominator = answered: which sites are counted, as in population; of these, only sites with the status 200 or 404
-- hidden parameter: statuses texts = 200,404, statuses: which statuses of the last answer count
-- parameter: tokens = ''
-- parameter: top count = 30, agents: how many agents, those with the most naming sites first
-- column: sites_explicit_full: sites whose file names the agent and allows it no path
-- column: sites_explicit_partial: sites whose file names the agent and allows it some paths but not all
-- column: sites_wildcard_full: sites whose file does not name the agent and whose wildcard group allows it no path
-- column: sites_none: the sum of sites_wildcard_partial and sites_unrestricted
-- column: sites_wildcard_partial: sites whose file does not name the agent and whose wildcard group allows it some paths but not all
-- column: sites_unrestricted: sites that allow the agent all paths, by name or not
-- column: sites_404: sites whose last answer has the status 404
-- column: sites_counted: counted sites whose last answer has the status 200 or 404, which is the denominator
-- column: share_explicit_full: sites_explicit_full divided by sites_counted
-- column: share_explicit_partial: sites_explicit_partial divided by sites_counted
-- column: share_wildcard_full: sites_wildcard_full divided by sites_counted
-- column: share_none: sites_none divided by sites_counted
-- caveat: Only sites whose robots.txt has the status 200 or 404, after redirects, count. Other errors are omitted, including other 4xx, which RFC 9309 treats like 404.
-- caveat: full: the rules allow no path at all. partial: they disallow some paths. none: anything else, which is the sum of wildcard_partial and unrestricted. Sites about which nothing is known are in none of the classes; sites_counted counts them with the denominator all.
-- caveat: The study uses Google's matcher, which cannot match a name with digits or blanks (AI2Bot, Kangaroo Bot). Here these agents can be named, too.
WITH answered_totals AS (
    SELECT
        crawl,
        stratum,
        sum(weight) AS sites_counted,
        sum(CASE final_status WHEN 404 THEN weight ELSE 0 END) AS sites_404
    FROM population
    GROUP BY crawl, stratum
),
answered_classes AS (
    SELECT crawl, stratum, class_id, sum(weight) AS sites FROM population GROUP BY crawl, stratum, class_id
),
-- The verdict of * on each class. It counts for every agent that the class does not name.
wildcard_classes AS (
    SELECT s.crawl, s.stratum, s.class_id, s.sites, v.match_kind, v.access
    FROM answered_classes AS s
    JOIN class_verdicts AS v ON v.crawl = s.crawl AND v.class_id = s.class_id
    WHERE v.agent = '*'
),
wildcard_totals AS (
    SELECT
        crawl,
        stratum,
        sum(CASE WHEN match_kind = 'wildcard' AND access = 'none' THEN sites ELSE 0 END) AS wildcard_full,
        sum(CASE WHEN match_kind = 'wildcard' AND access = 'part' THEN sites ELSE 0 END) AS wildcard_partial,
        sum(CASE WHEN access = 'all' THEN sites ELSE 0 END) AS unrestricted
    FROM wildcard_classes
    GROUP BY crawl, stratum
),
-- The classes that name an agent, and what their wildcard groups would say to it.
named_totals AS (
    SELECT
        w.crawl,
        w.stratum,
        n.agent,
        sum(w.sites) AS sites_named,
        sum(CASE WHEN n.access = 'none' THEN w.sites ELSE 0 END) AS explicit_full,
        sum(CASE WHEN n.access = 'part' THEN w.sites ELSE 0 END) AS explicit_partial,
        sum(CASE WHEN n.access = 'all' THEN w.sites ELSE 0 END) AS explicit_unrestricted,
        sum(CASE WHEN w.match_kind = 'wildcard' AND w.access = 'none' THEN w.sites ELSE 0 END) AS wildcard_full,
        sum(CASE WHEN w.match_kind = 'wildcard' AND w.access = 'part' THEN w.sites ELSE 0 END) AS wildcard_partial,
        sum(CASE WHEN w.access = 'all' THEN w.sites ELSE 0 END) AS wildcard_unrestricted
    FROM wildcard_classes AS w
    JOIN class_verdicts AS n ON n.crawl = w.crawl AND n.class_id = w.class_id
    WHERE n.agent <> '*' AND ('' IN ($tokens) OR n.agent IN ($tokens))
    GROUP BY w.crawl, w.stratum, n.agent
),
sites_by_agent AS (
    SELECT
        w.crawl,
        w.stratum,
        t.agent,
        coalesce(n.sites_named, 0) AS sites_named,
        coalesce(n.explicit_full, 0) AS explicit_full,
        coalesce(n.explicit_partial, 0) AS explicit_partial,
        w.wildcard_full - coalesce(n.wildcard_full, 0) AS wildcard_full,
        w.wildcard_partial - coalesce(n.wildcard_partial, 0) AS wildcard_partial,
        w.unrestricted + coalesce(n.explicit_unrestricted - n.wildcard_unrestricted, 0) AS unrestricted
    FROM wildcard_totals AS w
    JOIN tracked_agents AS t ON t.crawl = w.crawl
    LEFT JOIN named_totals AS n ON n.crawl = w.crawl AND n.stratum = w.stratum AND n.agent = t.agent
    WHERE t.agent <> '*' AND ('' IN ($tokens) OR t.agent IN ($tokens))
),
agent_totals AS (
    SELECT *, sum(sites_named) OVER (PARTITION BY agent) AS named_of_all FROM sites_by_agent
),
ranked_agents AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY named_of_all DESC, agent) AS bigint) AS place FROM agent_totals
)
SELECT
    r.crawl,
    r.stratum,
    r.agent,
    r.explicit_full AS sites_explicit_full,
    r.explicit_partial AS sites_explicit_partial,
    r.wildcard_full AS sites_wildcard_full,
    r.wildcard_partial + r.unrestricted AS sites_none,
    r.wildcard_partial AS sites_wildcard_partial,
    r.unrestricted AS sites_unrestricted,
    a.sites_404,
    a.sites_counted,
    CAST(r.explicit_full AS double) / nullif(a.sites_counted, 0) AS share_explicit_full,
    CAST(r.explicit_partial AS double) / nullif(a.sites_counted, 0) AS share_explicit_partial,
    CAST(r.wildcard_full AS double) / nullif(a.sites_counted, 0) AS share_wildcard_full,
    CAST(r.wildcard_partial + r.unrestricted AS double) / nullif(a.sites_counted, 0) AS share_none
FROM ranked_agents AS r
JOIN answered_totals AS a ON a.crawl = r.crawl AND a.stratum = r.stratum
WHERE r.place <= $top
ORDER BY r.crawl, r.stratum, r.explicit_full DESC, r.explicit_partial DESC, r.agent
