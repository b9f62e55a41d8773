-- title: Refusals
-- question: Which statuses refuse a request for robots.txt, by kind?
-- grain: one row per kind of refusal
-- caveat: By RFC 9309, 4xx allows all paths and 5xx none. These 4xx statuses say that a file may exist which the server does not show: 401 and 403 ask for permission, 402 for payment, and 429 for patience.
SELECT refusal, first_status, last_status
FROM (VALUES
    ('401', 401, 401),
    ('402', 402, 402),
    ('403', 403, 403),
    ('429', 429, 429),
    ('5xx', 500, 599)
) AS r (refusal, first_status, last_status)
