-- title: AI training blocked, search and fetching for users not blocked
-- id: E04
-- question: Of the sites that block an operator's agents for training, how many block none of its search crawlers, or none of its agents that fetch for a user?
-- grain: one row per crawl, stratum and operator, and one for all operators together
-- reads: strata, stratum_classes, class_blocking, class_verdicts, agents
-- column: operator: the operator of these agents, or all operators
-- column: training: its agents for training that some site names in the crawl, separated by commas; null for all operators
-- column: search: its agents for search that some site names in the crawl, separated by commas; null if it has none, and for all operators
-- column: fetching: its agents for fetching that some site names in the crawl, separated by commas; null if it has none, and for all operators
-- column: sites_by_name: sites that name and block an agent of the operator for training
-- column: sites_by_name_search_allowed: sites that name and block an agent for training, and block no agent for search; null if the operator has none
-- column: sites_by_name_fetching_allowed: sites that name and block an agent for training, and block no agent for fetching; null if the operator has none
-- column: sites: sites that block an agent of the operator for training, by name or not
-- column: sites_search_allowed: sites that block an agent for training and no agent for search; null if the operator has none
-- column: sites_fetching_allowed: sites that block an agent for training and no agent for fetching; null if the operator has none
-- column: share_by_name_search_allowed: sites_by_name_search_allowed divided by sites_by_name; null if there is no such agent or site
-- column: share_by_name_fetching_allowed: sites_by_name_fetching_allowed divided by sites_by_name; null if there is no such agent or site
-- column: share_search_allowed: sites_search_allowed divided by sites; null if there is no such agent or site
-- column: share_fetching_allowed: sites_fetching_allowed divided by sites; null if there is no such agent or site
-- caveat: training, search and fetching list the agents of an operator. Those for training have that purpose, perhaps among others. Those for search build the index of a search engine or of an AI search, and do not train. Those for fetching fetch or act for a user, and are for neither training nor search.
-- caveat: Search crawlers that are not AI agents, such as Googlebot, count as well. Retired agents do not count, nor do agents that follow the groups of another search crawler of their operator, such as Googlebot-Image.
-- caveat: An agent counts only in crawls in which a site names it: sites cannot choose to block an agent that nobody knows.
-- caveat: Only operators with an agent for training and one for search or fetching are listed.
-- caveat: Columns with by_name are about sites that name and block an agent for training. The other columns also count sites that block one by the wildcard group. Allowed (not blocked) means that none of the agents is blocked: partly blocked agents count as allowed. The row of all operators counts the agents of all listed operators.
-- caveat: A site that allows an agent may not know of it.
WITH purposes AS (
    SELECT
        token AS agent,
        operator,
        is_ai AND strpos(' ' || purposes || ' ', ' training ') > 0 AS trains,
        strpos(' ' || purposes || ' ', ' search ') > 0 AS searches,
        is_ai AND (strpos(' ' || purposes || ' ', ' user-fetch ') > 0 OR strpos(' ' || purposes || ' ', ' agent ') > 0) AS fetches,
        ' ' || coalesce(fallback_tokens, '') || ' ' AS fallbacks
    FROM agents
    WHERE tracked AND operator <> '' AND coalesce(valid_to, '') = ''
),
-- Agents that follow the groups of another search crawler of their operator, and so are a special case of it.
specialised_agents AS (
    SELECT DISTINCT p.agent
    FROM purposes AS p
    JOIN purposes AS g ON g.operator = p.operator AND g.searches AND NOT g.trains
    WHERE strpos(p.fallbacks, ' ' || g.agent || ' ') > 0
),
chosen_agents AS (
    SELECT
        p.agent,
        p.operator,
        CASE WHEN p.trains THEN 1 ELSE 0 END AS trains,
        CASE WHEN p.searches AND NOT p.trains AND s.agent IS NULL THEN 1 ELSE 0 END AS searches,
        CASE WHEN p.fetches AND NOT p.trains AND NOT p.searches THEN 1 ELSE 0 END AS fetches
    FROM purposes AS p
    LEFT JOIN specialised_agents AS s ON s.agent = p.agent
),
named_agents AS (
    SELECT DISTINCT crawl, agent FROM class_verdicts WHERE match_kind = 'explicit'
),
known_agents AS (
    SELECT n.crawl, c.agent, c.operator, c.trains, c.searches, c.fetches
    FROM chosen_agents AS c
    JOIN named_agents AS n ON n.agent = c.agent
),
listed_operators AS (
    SELECT crawl, operator
    FROM known_agents
    GROUP BY crawl, operator
    HAVING sum(trains) > 0 AND sum(searches) + sum(fetches) > 0
),
operator_agents AS (
    SELECT k.* FROM known_agents AS k JOIN listed_operators AS l ON l.crawl = k.crawl AND l.operator = k.operator
    UNION ALL
    SELECT k.crawl, k.agent, 'all operators' AS operator, k.trains, k.searches, k.fetches
    FROM known_agents AS k
    JOIN listed_operators AS l ON l.crawl = k.crawl AND l.operator = k.operator
),
operators AS (
    SELECT
        crawl,
        operator,
        sum(searches) AS agents_searching,
        sum(fetches) AS agents_fetching,
        CASE WHEN operator <> 'all operators' THEN CAST(string_agg(CASE trains WHEN 1 THEN agent END, ', ' ORDER BY agent) AS varchar) END AS training,
        CASE WHEN operator <> 'all operators' THEN CAST(string_agg(CASE searches WHEN 1 THEN agent END, ', ' ORDER BY agent) AS varchar) END AS search,
        CASE WHEN operator <> 'all operators' THEN CAST(string_agg(CASE fetches WHEN 1 THEN agent END, ', ' ORDER BY agent) AS varchar) END AS fetching
    FROM operator_agents
    GROUP BY crawl, operator
),
blocking_classes AS (
    SELECT
        b.crawl,
        b.blocking_class_id,
        o.operator,
        sum(o.trains) AS training_blocked,
        sum(CASE WHEN b.match_kind = 'explicit' THEN o.trains ELSE 0 END) AS training_blocked_by_name,
        sum(o.searches) AS search_blocked,
        sum(o.fetches) AS fetching_blocked
    FROM class_blocking AS b
    JOIN operator_agents AS o ON o.crawl = b.crawl AND o.agent = b.agent
    WHERE b.blocked
    GROUP BY b.crawl, b.blocking_class_id, o.operator
),
sites_by_operator AS (
    SELECT
        v.crawl,
        v.stratum,
        b.operator,
        sum(CASE WHEN b.training_blocked_by_name > 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.training_blocked_by_name > 0 AND b.search_blocked = 0 THEN v.weight ELSE 0 END) AS sites_by_name_search_allowed,
        sum(CASE WHEN b.training_blocked_by_name > 0 AND b.fetching_blocked = 0 THEN v.weight ELSE 0 END) AS sites_by_name_fetching_allowed,
        sum(v.weight) AS sites,
        sum(CASE WHEN b.search_blocked = 0 THEN v.weight ELSE 0 END) AS sites_search_allowed,
        sum(CASE WHEN b.fetching_blocked = 0 THEN v.weight ELSE 0 END) AS sites_fetching_allowed
    FROM stratum_classes AS v
    JOIN blocking_classes AS b ON b.crawl = v.crawl AND b.blocking_class_id = v.blocking_class_id
    WHERE b.training_blocked > 0
    GROUP BY v.crawl, v.stratum, b.operator
),
operator_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        o.operator,
        o.training,
        o.search,
        o.fetching,
        coalesce(b.sites_by_name, 0) AS sites_by_name,
        -- Null if the operator has no agent of the kind.
        CASE WHEN o.agents_searching > 0 THEN coalesce(b.sites_by_name_search_allowed, 0) END AS sites_by_name_search_allowed,
        CASE WHEN o.agents_fetching > 0 THEN coalesce(b.sites_by_name_fetching_allowed, 0) END AS sites_by_name_fetching_allowed,
        coalesce(b.sites, 0) AS sites,
        CASE WHEN o.agents_searching > 0 THEN coalesce(b.sites_search_allowed, 0) END AS sites_search_allowed,
        CASE WHEN o.agents_fetching > 0 THEN coalesce(b.sites_fetching_allowed, 0) END AS sites_fetching_allowed,
        s.sites_counted
    FROM strata AS s
    JOIN operators AS o ON o.crawl = s.crawl
    LEFT JOIN sites_by_operator AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.operator = o.operator
)
SELECT
    crawl,
    stratum,
    operator,
    training,
    search,
    fetching,
    sites_by_name,
    sites_by_name_search_allowed,
    sites_by_name_fetching_allowed,
    sites,
    sites_search_allowed,
    sites_fetching_allowed,
    sites_counted,
    CAST(sites_by_name_search_allowed AS double) / nullif(sites_by_name, 0) AS share_by_name_search_allowed,
    CAST(sites_by_name_fetching_allowed AS double) / nullif(sites_by_name, 0) AS share_by_name_fetching_allowed,
    CAST(sites_search_allowed AS double) / nullif(sites, 0) AS share_search_allowed,
    CAST(sites_fetching_allowed AS double) / nullif(sites, 0) AS share_fetching_allowed
FROM operator_totals
ORDER BY crawl, stratum, CASE operator WHEN 'all operators' THEN 0 ELSE 1 END, sites_by_name DESC, sites DESC, operator
