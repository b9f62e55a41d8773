-- title: Events
-- question: Which events may have changed files, and when did they happen?
-- grain: one row per event
-- caveat: Made by analyze/src/queries/events.rs from datasets/events.csv, which has the sources.
SELECT event, CAST(event_day AS date) AS event_day, name
FROM (VALUES
    ('rfc-9309', '2022-09-09', 'RFC 9309'),
    ('gptbot', '2023-08-07', 'GPTBot'),
    ('google-extended', '2023-09-28', 'Google-Extended'),
    ('cloudflare-block', '2024-07-03', 'Cloudflare''s AI block'),
    ('content-signals', '2025-09-24', 'Content-Signal'),
    ('content-use', '2026-07-01', 'use in Content-Signal'),
    ('cloudflare-defaults', '2026-09-15', 'Cloudflare''s defaults')
) AS e (event, event_day, name)
