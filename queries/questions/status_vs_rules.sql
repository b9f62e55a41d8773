-- title: Hosts that both refuse and answer requests for robots.txt
-- id: J05
-- question: Of the hosts that answer a request for robots.txt with 401, 402, 403, 429 or 5xx, how many answer another with 200 in the same crawl?
-- grain: one row per crawl and kind of refusal
-- reads: captures
-- no strata: it counts hosts, whose sites may be in several strata
-- parameter: crawl = ''
-- caveat: The other answer is at another protocol or port of the host, or at the same URL at another time; hosts_at_one_url have both at one URL. Only captures of /robots.txt itself count, before redirects.
-- caveat: hosts_captured_again have several captures. The others had no chance to answer differently, so share is a lower bound, and share_of_captured_again is more meaningful.
-- caveat: A crawler with many IP addresses may be refused at one of them, which looks like a change over time.
WITH root_captures AS (
    SELECT crawl, url_host_name, url, fetch_status
    FROM captures
    WHERE url_path = '/robots.txt'
        AND url_query IS NULL
        AND url_host_name IS NOT NULL
        AND ($crawl = '' OR crawl = $crawl)
),
refusing_hosts AS (
    SELECT DISTINCT crawl, url_host_name
    FROM root_captures
    WHERE fetch_status IN (401, 402, 403, 429) OR fetch_status BETWEEN 500 AND 599
),
capture_answers AS (
    SELECT
        c.crawl,
        c.url_host_name,
        c.url,
        CASE
            WHEN c.fetch_status = 200 THEN '200'
            WHEN c.fetch_status = 401 THEN '401'
            WHEN c.fetch_status = 402 THEN '402'
            WHEN c.fetch_status = 403 THEN '403'
            WHEN c.fetch_status = 429 THEN '429'
            WHEN c.fetch_status BETWEEN 500 AND 599 THEN '5xx'
            ELSE 'other'
        END AS answer
    FROM refusing_hosts AS r
    JOIN root_captures AS c ON c.crawl = r.crawl AND c.url_host_name = r.url_host_name
),
url_answers AS (
    SELECT crawl, url_host_name, url, answer, count(*) AS captures
    FROM capture_answers
    GROUP BY crawl, url_host_name, url, answer
),
host_answers AS (
    SELECT
        u.crawl,
        u.url_host_name,
        sum(u.captures) AS captures,
        max(CASE WHEN u.answer = '200' THEN 1 ELSE 0 END) AS has_200,
        max(CASE WHEN u.answer = '401' THEN 1 ELSE 0 END) AS has_401,
        max(CASE WHEN u.answer = '402' THEN 1 ELSE 0 END) AS has_402,
        max(CASE WHEN u.answer = '403' THEN 1 ELSE 0 END) AS has_403,
        max(CASE WHEN u.answer = '429' THEN 1 ELSE 0 END) AS has_429,
        max(CASE WHEN u.answer = '5xx' THEN 1 ELSE 0 END) AS has_5xx
    FROM url_answers AS u
    GROUP BY u.crawl, u.url_host_name
),
mixed_urls AS (
    SELECT DISTINCT u.crawl, u.url_host_name, a.answer AS refusal
    FROM url_answers AS u
    JOIN url_answers AS a ON a.crawl = u.crawl AND a.url = u.url
    WHERE u.answer = '200' AND a.answer IN ('401', '402', '403', '429', '5xx')
),
host_refusals AS (
    SELECT h.crawl, h.url_host_name, h.captures, h.has_200, l.refusal
    FROM host_answers AS h
    CROSS JOIN (VALUES ('401'), ('402'), ('403'), ('429'), ('5xx')) AS l (refusal)
    WHERE CASE l.refusal
        WHEN '401' THEN h.has_401
        WHEN '402' THEN h.has_402
        WHEN '403' THEN h.has_403
        WHEN '429' THEN h.has_429
        ELSE h.has_5xx
    END = 1
)
SELECT
    h.crawl,
    h.refusal,
    count(*) AS hosts_refusing,
    sum(CASE WHEN h.captures > 1 THEN 1 ELSE 0 END) AS hosts_captured_again,
    sum(h.has_200) AS hosts,
    CAST(sum(h.has_200) AS double) / nullif(count(*), 0) AS share,
    CAST(sum(h.has_200) AS double) / nullif(sum(CASE WHEN h.captures > 1 THEN 1 ELSE 0 END), 0) AS share_of_captured_again,
    count(m.url_host_name) AS hosts_at_one_url
FROM host_refusals AS h
LEFT JOIN mixed_urls AS m ON m.crawl = h.crawl AND m.url_host_name = h.url_host_name AND m.refusal = h.refusal
GROUP BY h.crawl, h.refusal
ORDER BY h.crawl, h.refusal
