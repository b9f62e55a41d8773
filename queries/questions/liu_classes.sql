-- title: Agents restricted, by the classes of Somesite I Used To Crawl
-- id: D03
-- question: Which share of sites restricts an agent by name, wholly or in part, or by the star alone, in the sense of Liu and others (2025)?
-- grain: one row per crawl and agent
-- reads: sites, site_access
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- parameter: tokens agents = '', tokens: which agents, with commas or blanks between them; those tracked if none is said
-- parameter: top integer = 30, agents: how many of them, those named by most sites first
-- caveat: counted are sites whose robots.txt has status 200, after redirects, or 404; other errors are left out, other 4xx too, though RFC 9309 takes them for a 404
-- caveat: full means that no path may be fetched that the rules tell apart, partial that some may not
-- caveat: the study asks Google's matcher, which knows no agent by a name with digits or blanks (AI2Bot, Kangaroo Bot); here each agent is known by its whole name
WITH answered AS (
    SELECT crawl, site_id, final_status FROM sites WHERE ($crawl = '' OR crawl = $crawl) AND final_status IN (200, 404)
),
counted AS (
    SELECT
        crawl,
        count(*) AS sites_counted,
        sum(CASE final_status WHEN 404 THEN 1 ELSE 0 END) AS sites_404
    FROM answered
    GROUP BY crawl
),
told AS (
    SELECT
        s.crawl,
        a.agent,
        sum(CASE WHEN a.match_kind = 'explicit' THEN 1 ELSE 0 END) AS sites_named,
        sum(CASE WHEN a.match_kind = 'explicit' AND a.access = 'none' THEN 1 ELSE 0 END) AS explicit_full,
        sum(CASE WHEN a.match_kind = 'explicit' AND a.access = 'part' THEN 1 ELSE 0 END) AS explicit_partial,
        sum(CASE WHEN a.match_kind = 'wildcard' AND a.access = 'none' THEN 1 ELSE 0 END) AS wildcard_full,
        sum(CASE WHEN a.match_kind = 'wildcard' AND a.access = 'part' THEN 1 ELSE 0 END) AS wildcard_partial,
        sum(CASE WHEN a.access = 'all' THEN 1 ELSE 0 END) AS unrestricted
    FROM answered AS s
    JOIN site_access AS a ON a.crawl = s.crawl AND a.site_id = s.site_id
    WHERE a.agent <> '*'
        AND ('' IN ($tokens) OR a.agent IN ($tokens))
    GROUP BY s.crawl, a.agent
),
summed AS (
    SELECT *, sum(sites_named) OVER (PARTITION BY agent) AS named_of_all FROM told
),
placed AS (
    SELECT *, CAST(dense_rank() OVER (ORDER BY named_of_all DESC, agent) AS bigint) AS place FROM summed
)
SELECT
    p.crawl,
    p.agent,
    p.explicit_full AS sites_explicit_full,
    p.explicit_partial AS sites_explicit_partial,
    p.wildcard_full AS sites_wildcard_full,
    c.sites_counted - p.explicit_full - p.explicit_partial - p.wildcard_full AS sites_none,
    p.wildcard_partial AS sites_wildcard_partial,
    p.unrestricted AS sites_unrestricted,
    c.sites_404,
    c.sites_counted,
    p.explicit_full / CAST(c.sites_counted AS double) AS share_explicit_full,
    p.explicit_partial / CAST(c.sites_counted AS double) AS share_explicit_partial,
    p.wildcard_full / CAST(c.sites_counted AS double) AS share_wildcard_full,
    (c.sites_counted - p.explicit_full - p.explicit_partial - p.wildcard_full) / CAST(c.sites_counted AS double) AS share_none
FROM placed AS p
JOIN counted AS c ON c.crawl = p.crawl
WHERE p.place <= $top
ORDER BY p.crawl, p.explicit_full DESC, p.explicit_partial DESC, p.agent
