-- title: Lists in use
-- id: A11
-- question: Which lists of agents and templates are in use, how long are they, and how new?
-- grain: one row per list
-- reads: agents, templates
-- no strata: it counts the rows of lists, and only sites are in strata
-- no crawl: it counts the rows of lists, which all crawls share
-- column: list: agents or templates
-- column: rows_of_list: rows of this list
-- column: newest: latest source_date of these rows: the date of a source or of our check
-- caveat: newest is the latest date of a source, or of a check of a row against its source.
SELECT 'agents' AS list, count(*) AS rows_of_list, max(source_date) AS newest FROM agents
UNION ALL
SELECT 'templates' AS list, count(*) AS rows_of_list, max(source_date) AS newest FROM templates
ORDER BY list
