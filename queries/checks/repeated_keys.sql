-- title: Repeated keys
-- grain: one row per crawl, table and key that occurs in several rows
-- reads: bodies, groups, rules, policies, skips, tracked_agents, body_classes, sites, class_verdicts
WITH repeated_rows AS (
    -- A part has each distinct body once. The high bits of body_id are the number of the part. Bodies that differ only
    -- beyond the limit of what is read have one digest and different lengths. After 917,504 bodies, ingest forgets those
    -- of the part.
    SELECT crawl, 'bodies of a part' AS table_name, min(body_id) AS id, content_digest AS name, count(*) AS found
    FROM bodies GROUP BY crawl, body_id >> 32, (body_id & 4294967295) / 917504, content_digest, body_bytes HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'groups' AS table_name, body_id AS id, CAST(agent_no AS varchar) AS name, count(*) AS found
    FROM groups GROUP BY crawl, body_id, agent_no HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'rules' AS table_name, body_id AS id, CAST(rule_no AS varchar) AS name, count(*) AS found
    FROM rules GROUP BY crawl, body_id, rule_no HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'policies' AS table_name, body_id AS id, token AS name, count(*) AS found
    FROM policies GROUP BY crawl, body_id, token HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'skips' AS table_name, 0 AS id, warc_filename || ' ' || kind || ' ' || reason AS name, count(*) AS found
    FROM skips GROUP BY crawl, warc_filename, kind, reason HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'sites' AS table_name, site_id AS id, '' AS name, count(*) AS found
    FROM sites GROUP BY crawl, site_id HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'sites of a host' AS table_name, min(site_id) AS id, url_protocol || '://' || url_host_name || ':' || CAST(url_port AS varchar) AS name, count(*) AS found
    FROM sites GROUP BY crawl, url_protocol, url_host_name, url_port HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'tracked_agents' AS table_name, 0 AS id, agent AS name, count(*) AS found
    FROM tracked_agents GROUP BY crawl, agent HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'body_classes' AS table_name, body_id AS id, '' AS name, count(*) AS found
    FROM body_classes GROUP BY crawl, body_id HAVING count(*) > 1
    UNION ALL
    SELECT crawl, 'class_verdicts' AS table_name, class_id AS id, agent AS name, count(*) AS found
    FROM class_verdicts GROUP BY crawl, class_id, agent HAVING count(*) > 1
)
SELECT crawl, table_name, id, name, found
FROM repeated_rows
ORDER BY crawl, table_name, id, name
