-- title: Hosts that refuse robots.txt here and answer it there
-- id: J05
-- question: Of the hosts that refuse the request for robots.txt with 401, 403, 429 or 5xx, how many answer it with 200 elsewhere in the same crawl?
-- grain: one row per crawl and kind of refusal that occurred
-- reads: captures
-- parameter: crawl crawl = '', name: the crawl that is asked about; all of them if it is not said
-- caveat: Elsewhere is another protocol or port of the host, or the same URL at another time; hosts_at_one_url have both at one URL. Captures of /robots.txt itself count, before redirects are followed.
-- caveat: hosts_captured_again were captured more than once. The others had no chance to answer otherwise, so that share is a lower bound and share_of_captured_again says more.
-- caveat: A crawler that comes from many addresses may be refused at one of them; that is not told apart from a change of mind.
WITH answered AS (
    SELECT
        crawl,
        url_host_name,
        url,
        CASE
            WHEN fetch_status = 200 THEN '200'
            WHEN fetch_status = 401 THEN '401'
            WHEN fetch_status = 403 THEN '403'
            WHEN fetch_status = 429 THEN '429'
            WHEN fetch_status BETWEEN 500 AND 599 THEN '5xx'
            ELSE 'other'
        END AS answer
    FROM captures
    WHERE url_path = '/robots.txt'
        AND url_query IS NULL
        AND url_host_name IS NOT NULL
        AND ($crawl = '' OR crawl = $crawl)
),
refusing AS (
    SELECT DISTINCT crawl, url_host_name
    FROM answered
    WHERE answer IN ('401', '403', '429', '5xx')
),
by_url AS (
    SELECT a.crawl, a.url_host_name, a.url, a.answer, count(*) AS captures
    FROM answered AS a
    JOIN refusing AS r ON r.crawl = a.crawl AND r.url_host_name = a.url_host_name
    GROUP BY a.crawl, a.url_host_name, a.url, a.answer
),
by_host AS (
    SELECT
        b.crawl,
        b.url_host_name,
        sum(b.captures) AS captures,
        max(CASE WHEN b.answer = '200' THEN 1 ELSE 0 END) AS has_200,
        max(CASE WHEN b.answer = '401' THEN 1 ELSE 0 END) AS has_401,
        max(CASE WHEN b.answer = '403' THEN 1 ELSE 0 END) AS has_403,
        max(CASE WHEN b.answer = '429' THEN 1 ELSE 0 END) AS has_429,
        max(CASE WHEN b.answer = '5xx' THEN 1 ELSE 0 END) AS has_5xx
    FROM by_url AS b
    GROUP BY b.crawl, b.url_host_name
),
at_one_url AS (
    SELECT DISTINCT a.crawl, a.url_host_name, r.answer AS refusal
    FROM by_url AS a
    JOIN by_url AS r ON r.crawl = a.crawl AND r.url = a.url
    WHERE a.answer = '200' AND r.answer IN ('401', '403', '429', '5xx')
),
refusals AS (
    SELECT h.crawl, h.url_host_name, h.captures, h.has_200, l.refusal
    FROM by_host AS h
    CROSS JOIN (VALUES ('401'), ('403'), ('429'), ('5xx')) AS l (refusal)
    WHERE CASE l.refusal
        WHEN '401' THEN h.has_401
        WHEN '403' THEN h.has_403
        WHEN '429' THEN h.has_429
        ELSE h.has_5xx
    END = 1
)
SELECT
    f.crawl,
    f.refusal,
    count(*) AS hosts_refusing,
    sum(CASE WHEN f.captures > 1 THEN 1 ELSE 0 END) AS hosts_captured_again,
    sum(f.has_200) AS hosts,
    CAST(sum(f.has_200) AS double) / nullif(count(*), 0) AS share,
    CAST(sum(f.has_200) AS double) / nullif(sum(CASE WHEN f.captures > 1 THEN 1 ELSE 0 END), 0) AS share_of_captured_again,
    count(o.url_host_name) AS hosts_at_one_url
FROM refusals AS f
LEFT JOIN at_one_url AS o ON o.crawl = f.crawl AND o.url_host_name = f.url_host_name AND o.refusal = f.refusal
GROUP BY f.crawl, f.refusal
ORDER BY f.crawl, f.refusal
