-- title: AI training blocked, search and fetching for people allowed
-- id: E04
-- question: How many sites block agents that train models and allow agents that search, fetch for a person or act for one?
-- grain: one row per crawl, stratum and operator, and one with the operator * for all operators together
-- reads: strata, voices, voice_blocking, agents
-- caveat: Agents for training have that purpose, and may have others. Agents of the second kind have the purpose search, user-fetch or agent, and do not train.
-- caveat: Operators with both kinds of agents are listed. In the row *, all agents of the second kind count, whoever runs them.
-- caveat: A site that allows an agent may not know of it.
WITH ai_agents AS (
    SELECT
        lower(token) AS agent,
        operator,
        CASE WHEN strpos(' ' || purposes || ' ', ' training ') > 0 THEN 1 ELSE 0 END AS trains,
        CASE
            WHEN strpos(' ' || purposes || ' ', ' training ') > 0 THEN 0
            WHEN strpos(' ' || purposes || ' ', ' search ') > 0
                OR strpos(' ' || purposes || ' ', ' user-fetch ') > 0
                OR strpos(' ' || purposes || ' ', ' agent ') > 0 THEN 1
            ELSE 0
        END AS serves
    FROM agents
    WHERE is_ai AND tracked
),
operator_agents AS (
    SELECT agent, operator, trains, serves FROM ai_agents WHERE operator <> '' AND trains + serves > 0
    UNION ALL
    SELECT agent, '*' AS operator, trains, serves FROM ai_agents WHERE trains + serves > 0
),
operators AS (
    SELECT operator, sum(trains) AS agents_training, sum(serves) AS agents_serving
    FROM operator_agents
    GROUP BY operator
    HAVING sum(trains) > 0 AND sum(serves) > 0
),
blocking_voices AS (
    SELECT
        b.crawl,
        b.voice_id,
        o.operator,
        sum(o.trains) AS training_blocked,
        sum(o.serves) AS serving_blocked,
        sum(CASE WHEN b.match_kind = 'explicit' THEN o.trains ELSE 0 END) AS training_by_name
    FROM voice_blocking AS b
    JOIN operator_agents AS o ON o.agent = b.agent
    WHERE b.blocked
    GROUP BY b.crawl, b.voice_id, o.operator
),
blocks_by_operator AS (
    SELECT
        v.crawl,
        v.stratum,
        b.operator,
        sum(CASE WHEN b.training_blocked > 0 THEN v.weight ELSE 0 END) AS sites_training_blocked,
        sum(CASE WHEN b.training_blocked > 0 AND b.serving_blocked = 0 THEN v.weight ELSE 0 END) AS sites,
        sum(CASE WHEN b.training_by_name > 0 AND b.serving_blocked = 0 THEN v.weight ELSE 0 END) AS sites_by_name,
        sum(CASE WHEN b.training_blocked > 0 AND b.serving_blocked > 0 AND b.serving_blocked < o.agents_serving
            THEN v.weight ELSE 0 END) AS sites_some_let_in,
        sum(CASE WHEN b.training_blocked > 0 AND b.serving_blocked = o.agents_serving THEN v.weight ELSE 0 END) AS sites_none_let_in,
        sum(CASE WHEN b.training_blocked = 0 AND b.serving_blocked > 0 THEN v.weight ELSE 0 END) AS sites_the_other_way
    FROM voices AS v
    JOIN blocking_voices AS b ON b.crawl = v.crawl AND b.voice_id = v.voice_id
    JOIN operators AS o ON o.operator = b.operator
    GROUP BY v.crawl, v.stratum, b.operator
)
SELECT
    s.crawl,
    s.stratum,
    o.operator,
    o.agents_training,
    o.agents_serving,
    coalesce(b.sites, 0) AS sites,
    coalesce(b.sites_by_name, 0) AS sites_by_name,
    coalesce(b.sites_some_let_in, 0) AS sites_some_let_in,
    coalesce(b.sites_none_let_in, 0) AS sites_none_let_in,
    coalesce(b.sites_the_other_way, 0) AS sites_the_other_way,
    coalesce(b.sites_training_blocked, 0) AS sites_training_blocked,
    s.sites_counted,
    coalesce(b.sites, 0) / nullif(s.sites_counted, 0) AS share,
    b.sites / nullif(b.sites_training_blocked, 0) AS share_of_training_blocked
FROM strata AS s
CROSS JOIN operators AS o
LEFT JOIN blocks_by_operator AS b ON b.crawl = s.crawl AND b.stratum = s.stratum AND b.operator = o.operator
ORDER BY s.crawl, s.stratum, round(coalesce(b.sites, 0), 6) DESC, o.operator
