//! The denominators of captions, counted by statements from other tables than the question reads.

use super::Asked;
use crate::rendering;
use analyze::Session;
use report::FigureSpec;
use std::collections::{BTreeMap, BTreeSet};

/// For each denominator: its words, the column besides the crawl that it depends on, and a statement that returns the
/// crawl, the value of that column and the number.
const DENOMINATORS: &[(&str, &str, &str)] = &[
    ("sites that were captured", "", "SELECT crawl, '', count(*) FROM sites GROUP BY crawl"),
    ("sites whose file was read", "", "SELECT crawl, '', count(*) FROM sites WHERE body_id IS NOT NULL GROUP BY crawl"),
    (
        "sites whose file has rules",
        "",
        "SELECT s.crawl, '', count(*) FROM sites AS s JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id \
         WHERE b.may_be_robots AND b.rule_count > 0 GROUP BY s.crawl",
    ),
    (
        "sites that answered with a file or with 4xx",
        "",
        "SELECT crawl, '', count(*) FROM sites WHERE access_without_rules = 'all' GROUP BY crawl",
    ),
    (
        "sites that redirect",
        "",
        // 304 is a 3xx status, but not a redirect.
        "SELECT crawl, '', count(*) FROM sites WHERE access_result = 'redirect' AND fetch_status <> 304 GROUP BY crawl",
    ),
    (
        "sites of each domain",
        "suffix",
        "SELECT crawl, coalesce(url_host_tld, 'none'), count(*) FROM sites GROUP BY crawl, coalesce(url_host_tld, 'none')",
    ),
    (
        "rule sets",
        "named",
        "SELECT s.crawl, CASE p.token WHEN '*' THEN 'wildcard' ELSE 'agent' END, count(*) FROM sites AS s \
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id \
         JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id \
         WHERE p.is_written AND b.may_be_robots AND b.rule_count > 0 \
         GROUP BY s.crawl, CASE p.token WHEN '*' THEN 'wildcard' ELSE 'agent' END",
    ),
    (
        "sites with a known verdict by RFC 9309 and by the draft",
        "",
        "SELECT crawl, '', count(*) FROM sites WHERE access_without_rules IS NOT NULL GROUP BY crawl",
    ),
    (
        "sites that block the agent of the row by name",
        "agent",
        "SELECT s.crawl, p.token, count(*) FROM sites AS s JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id \
         WHERE p.access = 'none' GROUP BY s.crawl, p.token",
    ),
    (
        "sites that block an agent for training by name",
        "operator",
        "SELECT s.crawl, a.operator, count(DISTINCT s.site_id) FROM sites AS s \
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id JOIN agents AS a ON a.token = p.token \
         WHERE p.access = 'none' AND a.is_ai AND a.tracked AND coalesce(a.valid_to, '') = '' \
         AND strpos(' ' || a.purposes || ' ', ' training ') > 0 GROUP BY s.crawl, a.operator",
    ),
    (
        "sites that block the retired agent by name",
        "agent",
        "SELECT s.crawl, p.token, count(*) FROM sites AS s JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id \
         WHERE p.access = 'none' GROUP BY s.crawl, p.token",
    ),
    (
        "sites that name an AI agent",
        "",
        "SELECT s.crawl, '', count(DISTINCT s.site_id) FROM sites AS s \
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id JOIN agents AS a ON a.token = p.token \
         WHERE a.is_ai AND a.tracked GROUP BY s.crawl",
    ),
    (
        "sites that answered with a file or with 4xx in both crawls",
        "",
        "SELECT '' AS crawl, '' AS part, count(*) FROM (SELECT url_host_name FROM sites WHERE access_without_rules = 'all' \
         GROUP BY url_protocol, url_host_name, url_port HAVING count(DISTINCT crawl) = 2) AS both_crawls",
    ),
    (
        "sites with sitemaps",
        "",
        "SELECT s.crawl, '', count(*) FROM sites AS s JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id \
         WHERE b.sitemap_count > 0 GROUP BY s.crawl",
    ),
    (
        "hosts that were captured over http and https",
        "",
        "SELECT crawl, '', count(*) FROM (SELECT crawl, url_host_name FROM sites WHERE url_port IN (80, 443) \
         GROUP BY crawl, url_host_name HAVING count(DISTINCT url_protocol) = 2) AS hosts GROUP BY crawl",
    ),
    (
        "hosts that refuse with the status",
        "refusal",
        "SELECT crawl, CASE WHEN fetch_status > 499 THEN '5xx' ELSE CAST(fetch_status AS varchar) END, count(DISTINCT url_host_name) \
         FROM captures WHERE url_path = '/robots.txt' AND url_query IS NULL \
         AND (fetch_status IN (401, 403, 429) OR fetch_status BETWEEN 500 AND 599) \
         GROUP BY crawl, CASE WHEN fetch_status > 499 THEN '5xx' ELSE CAST(fetch_status AS varchar) END",
    ),
    (
        "hosts that are in both crawls",
        "",
        "SELECT '' AS crawl, '' AS part, count(*) FROM (SELECT url_host_name FROM sites GROUP BY url_host_name HAVING count(DISTINCT crawl) = 2) AS hosts",
    ),
];

/// Denominators that a short statement cannot count, each with the reason.
const NOT_COUNTED: &[(&str, &str)] = &[
    ("sites of each stratum", "ranks are the user's own"),
    ("sites of each stratum and crawl", "ranks are the user's own"),
    ("sites that have the record", "a record is read by the view signals"),
    ("sites that state a preference on the use", "a preference is read by the view signals"),
    ("pairs of a domain and its www. host", "it pairs hosts by their domains"),
    ("hosts that answered with a file or with 4xx in both crawls", "it chooses a site of each host"),
    ("hosts whose file was read in both crawls", "it chooses a site of each host"),
];

/// The number for each denominator, by crawl and by the value of the column that it depends on.
pub(super) type Counted = BTreeMap<&'static str, BTreeMap<(String, String), f64>>;

pub(super) async fn count_denominators(session: &Session) -> Counted {
    let mut counted = Counted::new();
    for (words, _, sql) in DENOMINATORS {
        let frame = session.query(sql).await.unwrap_or_else(|error| panic!("{words}: {error}"));
        let batches = frame.collect().await.unwrap_or_else(|error| panic!("{words}: {error}"));
        let lines = batches.iter().flat_map(rendering::lines).collect::<Vec<_>>().join("\n");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(lines.as_bytes());
        let rows = reader.records().map(|row| row.expect("it is CSV"));
        let numbers = rows.map(|row| ((row[0].to_owned(), row[1].to_owned()), row[2].parse().expect("it is a number")));
        counted.insert(words, numbers.collect());
    }
    counted
}

pub(super) fn find_other_denominators(figure: &FigureSpec, asked: &Asked, counted: &Counted) -> Vec<String> {
    let (column, words) = figure.counted;
    if column.is_empty() {
        return Vec::new();
    }
    let value = asked.values.get("denominator").map(String::as_str);
    // The words of the report.
    let words = match (words, value) {
        ("", Some("rules")) => "sites whose file has rules",
        ("", Some("read")) => "sites whose file was read",
        ("", Some("answered")) => "sites that answered with a file or with 4xx",
        ("", Some("all") | None) => "sites that were captured",
        (words, _) => words,
    };
    if NOT_COUNTED.iter().any(|(known, _)| *known == words) {
        return Vec::new();
    }
    let Some((_, by, _)) = DENOMINATORS.iter().find(|(known, ..)| *known == words) else {
        return vec![format!("no statement counts {words:?}")];
    };
    let numbers = &counted[words];
    let mut faults = BTreeSet::new();
    for row in &asked.rows {
        let cell = |column: &str| row.get(column).cloned().unwrap_or_default();
        let key = (cell("crawl"), cell(by));
        // The row for all operators leaves out operators without an agent of another kind.
        if key.1 == "all operators" {
            continue;
        }
        let found: f64 = cell(column).parse().unwrap_or_default();
        let expected = numbers.get(&key).copied().unwrap_or_default();
        if found != expected {
            faults.insert(format!("{column} is {found}, but there are {expected} {words}: {key:?}"));
        }
    }
    faults.into_iter().collect()
}
