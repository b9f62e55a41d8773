-- title: Signals
-- question: Which preferences do Content-Signal and Content-Usage lines state?
-- grain: one row per preference of such a line, up to the eighth
-- reads: records
-- caveat: problem is null for a valid preference: search, ai-input and ai-train with yes or no in Content-Signal, train-ai and search with y or n in Content-Usage. bots and ai are labels of earlier drafts.
WITH signal_lines AS (
    SELECT
        crawl,
        body_id,
        line_no,
        group_no,
        key AS signal,
        -- A Content-Usage line may start with its path.
        CASE WHEN key = 'content-usage' AND starts_with(value, '/') THEN split_part(value, ' ', 1) ELSE '' END AS path,
        CASE
            WHEN key = 'content-usage' AND starts_with(value, '/') THEN substr(value, length(split_part(value, ' ', 1)) + 2)
            ELSE value
        END AS members
    FROM records
    WHERE key IN ('content-signal', 'content-usage')
),
signal_members AS (
    SELECT s.crawl, s.body_id, s.line_no, s.group_no, s.signal, s.path, p.place, trim(split_part(s.members, ',', p.place)) AS member
    FROM signal_lines AS s
    JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8)) AS p (place)
        ON p.place <= length(s.members) - length(replace(s.members, ',', '')) + 1
),
signal_values AS (
    SELECT
        *,
        lower(trim(split_part(member, '=', 1))) AS label,
        CASE
            WHEN strpos(member, '=') = 0 THEN ''
            -- Parameters of structured fields follow a semicolon. Content-Signal has none.
            WHEN signal = 'content-usage' THEN lower(trim(split_part(substr(member, strpos(member, '=') + 1), ';', 1)))
            ELSE lower(trim(substr(member, strpos(member, '=') + 1)))
        END AS value
    FROM signal_members
)
SELECT
    crawl,
    body_id,
    line_no,
    group_no,
    signal,
    path,
    place,
    member,
    label,
    value,
    CASE
        WHEN member = '' THEN 'empty'
        WHEN strpos(member, '=') = 0 THEN 'no_value'
        WHEN signal = 'content-usage' AND label IN ('bots', 'ai') THEN 'earlier_label'
        WHEN signal = 'content-signal' AND label NOT IN ('search', 'ai-input', 'ai-train') THEN 'unknown_label'
        WHEN signal = 'content-usage' AND label NOT IN ('train-ai', 'search') THEN 'unknown_label'
        WHEN signal = 'content-signal' AND value NOT IN ('yes', 'no') THEN 'unknown_value'
        WHEN signal = 'content-usage' AND value NOT IN ('y', 'n') THEN 'unknown_value'
    END AS problem
FROM signal_values
