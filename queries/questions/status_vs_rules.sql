-- title: Hosts that both refuse and answer requests for robots.txt
-- id: J05
-- question: Of the hosts that answer a request for robots.txt with 401, 402, 403, 429 or 5xx, how many answer another with 200 in the same crawl?
-- grain: one row per crawl and kind of refusal
-- reads: captures, refusals
-- no strata: it counts hosts, whose sites may be in several strata
-- parameter: crawl = ''
-- column: refusal: 401, 402, 403, 429, 5xx: the status of a refusal
-- column: hosts_refusing: hosts that refuse at least one request for robots.txt with this status
-- column: hosts_captured_again: how many of hosts_refusing have several captures of robots.txt
-- column: hosts: how many of hosts_refusing answer another request with 200
-- column: share: hosts divided by hosts_refusing
-- column: share_of_captured_again: hosts divided by hosts_captured_again; null if no host was captured again
-- column: hosts_at_one_url: how many of these hosts have this refusal and a 200 at the same URL
-- caveat: The other answer is at another protocol or port of the host, or at the same URL at another time; hosts_at_one_url have both at one URL, however its port is written. Only captures of /robots.txt itself count, before redirects.
-- caveat: hosts_captured_again have several captures. The others had no chance to answer differently, so share is a lower bound, and share_of_captured_again is more meaningful.
-- caveat: A crawler with many IP addresses may be refused at one of them, which looks like a change over time.
WITH root_captures AS (
    SELECT
        c.crawl,
        c.url_host_name,
        c.url_protocol,
        coalesce(c.url_port, CASE c.url_protocol WHEN 'https' THEN 443 ELSE 80 END) AS port,
        c.fetch_status,
        r.refusal
    FROM captures AS c
    LEFT JOIN refusals AS r ON c.fetch_status BETWEEN r.first_status AND r.last_status
    WHERE c.url_path = '/robots.txt'
        AND c.url_query IS NULL
        AND c.url_host_name IS NOT NULL
        AND ($crawl = '' OR c.crawl = $crawl)
),
refusing_hosts AS (
    SELECT DISTINCT crawl, url_host_name FROM root_captures WHERE refusal IS NOT NULL
),
url_answers AS (
    SELECT
        c.crawl,
        c.url_host_name,
        c.url_protocol,
        c.port,
        c.refusal,
        count(*) AS captures,
        max(CASE WHEN c.fetch_status = 200 THEN 1 ELSE 0 END) AS has_200
    FROM refusing_hosts AS r
    JOIN root_captures AS c ON c.crawl = r.crawl AND c.url_host_name = r.url_host_name
    GROUP BY c.crawl, c.url_host_name, c.url_protocol, c.port, c.refusal
),
host_totals AS (
    SELECT crawl, url_host_name, sum(captures) AS captures, max(has_200) AS has_200
    FROM url_answers
    GROUP BY crawl, url_host_name
),
host_refusals AS (
    SELECT DISTINCT u.crawl, u.url_host_name, u.refusal, t.captures, t.has_200
    FROM url_answers AS u
    JOIN host_totals AS t ON t.crawl = u.crawl AND t.url_host_name = u.url_host_name
    WHERE u.refusal IS NOT NULL
),
mixed_urls AS (
    SELECT DISTINCT u.crawl, u.url_host_name, r.refusal
    FROM url_answers AS u
    JOIN url_answers AS r
        ON r.crawl = u.crawl AND r.url_host_name = u.url_host_name AND r.url_protocol = u.url_protocol AND r.port = u.port
    WHERE u.has_200 = 1 AND r.refusal IS NOT NULL
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
