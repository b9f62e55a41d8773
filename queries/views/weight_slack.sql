-- title: Slack of weights
-- question: Which share of a sum of weights may be due to rounding?
-- grain: one row
-- parameter: weight = site
-- caveat: Counts of sites are exact; only quotients are rounded. The parts of a shared weight are rounded to units that depend on the weight of the whole crawl.
SELECT CASE $weight WHEN 'site' THEN 1e-12 ELSE 1e-6 END AS slack
