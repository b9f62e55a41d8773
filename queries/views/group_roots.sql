-- title: Rules of a group that match /
-- question: How long are the longest allow and disallow rules of a group that match the path /?
-- grain: one row per crawl, body and group with a rule that matches the path /
-- reads: rules
-- caveat: By RFC 9309 section 2.2.2, the longest match decides, and allow wins a tie. A group, or several combined, disallows / if disallow_octets > allow_octets.
SELECT
    crawl,
    body_id,
    group_no,
    max(CASE WHEN allow THEN octets ELSE 0 END) AS allow_octets,
    max(CASE WHEN allow THEN 0 ELSE octets END) AS disallow_octets
FROM rules
WHERE group_no IS NOT NULL AND matches_root
GROUP BY crawl, body_id, group_no
