//! The captions of the report name the agents, columns, denominators and crawls of their statements.
//!
//! A caption states its denominator in words. For each of these texts, a statement here counts it from other tables
//! than the question reads, and the numbers must agree. A share must equal its count divided by the denominator. Then
//! faults are planted in figures; the checks must find each of them.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "called by tests, which fail by them")]

use crate::given::RANKS;
use crate::questions::{answer, modelled, wait};
use crate::rendering;
use crate::run::TestFolder;
use analyze::queries::{self, ParameterKind, Query, QueryKind};
use analyze::statement::ParameterValue;
use analyze::{OwnTable, Session, SessionOptions};
use report::{ChartKind, CrawlScope, FigureSpec, SECTIONS, Series};
use std::collections::{BTreeMap, BTreeSet};

/// The crawl of the report.
const CRAWL: &str = "SAMPLE-2024-10";

/// A row of an answer, by column.
type Row = BTreeMap<String, String>;

/// The question of a figure, and its answer.
struct Asked {
    question: Query,
    /// The values of the parameters of the statement, by name.
    values: BTreeMap<String, String>,
    columns: Vec<String>,
    rows: Vec<Row>,
}

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
        "SELECT s.crawl, CASE p.token WHEN '*' THEN 'star' ELSE 'agent' END, count(*) FROM sites AS s \
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id \
         JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id \
         WHERE p.is_written AND b.may_be_robots AND b.rule_count > 0 \
         GROUP BY s.crawl, CASE p.token WHEN '*' THEN 'star' ELSE 'agent' END",
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
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id JOIN agents AS a ON lower(a.token) = p.token \
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
         JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id JOIN agents AS a ON lower(a.token) = p.token \
         WHERE a.is_ai AND a.tracked GROUP BY s.crawl",
    ),
    (
        "sites that are in both crawls and answered with a file or with 4xx in both",
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
    ("hosts that are in both crawls and answered with a file or with 4xx in both", "it chooses a site of each host"),
    ("hosts whose file was read in both crawls", "it chooses a site of each host"),
];

/// Shares whose numerator is a column with another name.
const NUMERATORS: &[(&str, &str)] = &[
    ("share", "sites_over"),
    ("share_of_blocked_by_name", "sites"),
    ("share_named", "sites_naming"),
    ("share_named_by_owners", "sites_naming_by_owners"),
];

#[test]
fn captions_agree_with_their_statements() {
    let folder = TestFolder::new("captions").with("ranks.csv", RANKS);
    wait(async {
        let session = open(&folder).await;
        let counted = count_denominators(&session).await;
        let (mut faults, mut answers) = (Vec::new(), BTreeMap::new());
        for figure in SECTIONS.iter().flat_map(|section| section.figures) {
            let asked = ask(&session, figure).await;
            faults.extend(find_faults(figure, &asked, &counted));
            answers.insert(figure.id, asked);
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert_planted_faults_are_found(&session, &answers, &counted).await;
    });
}

/// Each planted change makes the caption of a figure false.
async fn assert_planted_faults_are_found(
    session: &Session,
    answers: &BTreeMap<&'static str, Asked>,
    counted: &Counted,
) {
    let figure = |id: &str| {
        let mut figures = SECTIONS.iter().flat_map(|section| section.figures);
        *figures.find(|figure| figure.id == id).unwrap_or_else(|| panic!("there is no {id}"))
    };
    let plot = |id: &str| figure(id).plot;
    let planted = [
        (
            "the statement asks about another agent",
            FigureSpec { set: &[("agent", "ccbot")], ..figure("dialect_disagreement") },
        ),
        (
            "the caption names an agent that the statement does not ask about",
            FigureSpec {
                definition: "Share of sites whose verdict differs, for GPTBot and *.",
                ..figure("dialect_disagreement")
            },
        ),
        (
            "the caption does not name the agent",
            FigureSpec { definition: "Share of sites whose verdict differs.", ..figure("dialect_disagreement") },
        ),
        ("the denominator is another column", FigureSpec { counted: ("sites_blocked", ""), ..figure("limit_effect") }),
        ("the denominator is another number", FigureSpec { counted: ("sites", ""), ..figure("ai_overview") }),
        (
            "the words name another denominator",
            FigureSpec { counted: ("sites_counted", "sites whose file was read"), ..figure("ai_overview") },
        ),
        (
            "no statement counts the denominator",
            FigureSpec { counted: ("sites_counted", "sites of note"), ..figure("signal_adoption") },
        ),
        (
            "the question counts other sites",
            FigureSpec {
                set: &[("denominator", "all")],
                counted: ("sites_counted", "sites whose file was read"),
                ..figure("top_agents")
            },
        ),
        (
            "a column is not in the answer",
            FigureSpec { columns: &["agent", "share_of_nothing"], ..figure("top_agents") },
        ),
        (
            "the chart draws a column that is not in the answer",
            FigureSpec {
                plot: report::Plot { series: Series::One("share_of_nothing"), ..plot("top_agents") },
                ..figure("top_agents")
            },
        ),
        (
            "blocks by the wildcard group are called blocks by name",
            FigureSpec {
                plot: report::Plot { series: Series::Wide(&[("share", "any, by name")]), ..plot("ai_overview") },
                ..figure("ai_overview")
            },
        ),
        (
            "blocks by name are called blocks by the wildcard group",
            FigureSpec {
                plot: report::Plot {
                    series: Series::Wide(&[("share_by_name", "any, by name or by the wildcard group")]),
                    ..plot("ai_overview")
                },
                ..figure("ai_overview")
            },
        ),
        ("a figure of all crawls is of one", FigureSpec { set: &[("crawl", CRAWL)], ..figure("ai_overview") }),
        (
            "crawls are compared by numbers of sites",
            FigureSpec {
                plot: report::Plot { series: Series::One("sites_refusing"), ..plot("noblock_rate") },
                ..figure("noblock_rate")
            },
        ),
        ("a share is of something else", FigureSpec { counted: ("sites_sitemap", ""), ..figure("sitemaps") }),
    ];
    for (what, changed) in planted {
        let (asked_anew, answer);
        if changed.set == figure(changed.id).set {
            answer = &answers[changed.id];
        } else {
            asked_anew = ask(session, &changed).await;
            answer = &asked_anew;
        }
        assert!(!find_faults(&changed, answer, counted).is_empty(), "{}: not found: {what}", changed.id);
    }
}

async fn open(folder: &TestFolder) -> Session {
    let ranks = OwnTable { name: "ranks".to_owned(), path: folder.path().join("ranks.csv") };
    let options = SessionOptions { own: vec![ranks], ..SessionOptions::default() };
    Session::open(modelled(), &options).await.expect("the folder opens")
}

async fn ask(session: &Session, figure: &FigureSpec) -> Asked {
    let questions = queries::all(QueryKind::Question).expect("they can be read");
    let question = questions.into_iter().find(|question| question.name == figure.question).expect("there is one");
    let mut typed: Vec<(&str, &str)> = figure.set.to_vec();
    if figure.crawls == CrawlScope::One {
        typed.push(("crawl", CRAWL));
    }
    let (schema, batches) =
        answer(session, &question, &typed).await.unwrap_or_else(|error| panic!("{}: {error}", figure.id));
    let columns: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let text =
        [vec![rendering::header(&schema)], batches.iter().flat_map(rendering::lines).collect()].concat().join("\n");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize().map(|row| row.expect("it is CSV")).collect();
    let views = queries::all(QueryKind::View).expect("they can be read");
    let typed = typed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let values = question.values(&views, &typed).unwrap_or_else(|failure| panic!("{failure}"));
    let values = values.into_iter().filter_map(|(name, value)| match value {
        ParameterValue::Text(text) => Some((name, text)),
        _ => None,
    });
    let values = values.collect();
    Asked { question, values, columns, rows }
}

/// The number for each denominator, by crawl and by the value of the column that it depends on.
type Counted = BTreeMap<&'static str, BTreeMap<(String, String), f64>>;

async fn count_denominators(session: &Session) -> Counted {
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

/// The contradictions between a figure and its statement.
fn find_faults(figure: &FigureSpec, asked: &Asked, counted: &Counted) -> Vec<String> {
    let mut faults = find_missing_columns(figure, asked);
    if faults.is_empty() {
        faults.extend(find_other_crawls(figure, asked));
        faults.extend(find_other_denominators(figure, asked, counted));
        faults.extend(find_other_shares(figure, asked));
        faults.extend(find_other_agents(figure, asked));
        faults.extend(find_other_names(figure));
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", figure.id)).collect()
}

/// The columns that a chart draws, with their labels.
fn drawn_columns(figure: &FigureSpec) -> Vec<(&'static str, &'static str)> {
    match (figure.plot.kind, figure.plot.series) {
        (ChartKind::Table, _) => Vec::new(),
        (_, Series::One(column) | Series::By(_, column)) => vec![(column, "")],
        (_, Series::Wide(columns)) => columns.to_vec(),
    }
}

fn find_missing_columns(figure: &FigureSpec, asked: &Asked) -> Vec<String> {
    let plot = &figure.plot;
    let mut named: Vec<&str> = figure.columns.to_vec();
    named.extend(drawn_columns(figure).iter().map(|(column, _)| *column));
    if plot.kind != ChartKind::Table {
        named.extend(plot.x.split(' '));
        named.extend(plot.notes.iter().map(|(column, _)| *column));
        named.extend([plot.panel, plot.only.0, plot.not.0]);
    }
    if let Series::By(series, _) = plot.series {
        named.push(series);
    }
    named.push(figure.counted.0);
    let missing =
        named.into_iter().filter(|name| !name.is_empty() && !asked.columns.iter().any(|column| column == name));
    missing.map(|name| format!("the answer has no column {name}")).collect()
}

fn find_other_crawls(figure: &FigureSpec, asked: &Asked) -> Vec<String> {
    let crawls: BTreeSet<&String> = asked.rows.iter().filter_map(|row| row.get("crawl")).collect();
    let value = asked.values.get("crawl").map_or("", String::as_str);
    let mut faults = Vec::new();
    match figure.crawls {
        CrawlScope::One if crawls.iter().any(|crawl| *crawl != CRAWL) => {
            faults.push(format!("it has rows of {crawls:?}"));
        }
        CrawlScope::All | CrawlScope::Several if !value.is_empty() => faults.push(format!("it asks about {value}")),
        _ => {}
    }
    faults
}

fn find_other_denominators(figure: &FigureSpec, asked: &Asked, counted: &Counted) -> Vec<String> {
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

/// The column with the numerator of a share.
fn numerator(share: &str, columns: &[String]) -> Option<String> {
    let rest = share.strip_prefix("share").map_or_else(|| format!("_{share}"), str::to_owned);
    let names = ["sites", "hosts", "pairs", "rulesets", "bodies", "lines"].map(|unit| format!("{unit}{rest}"));
    let others = NUMERATORS.iter().filter(|(known, _)| *known == share).map(|(_, column)| (*column).to_owned());
    names.into_iter().chain(others).find(|name| columns.contains(name))
}

fn find_other_shares(figure: &FigureSpec, asked: &Asked) -> Vec<String> {
    let mut faults = Vec::new();
    for (column, _) in drawn_columns(figure) {
        let is_definition = column == "exact" || matches!(column.as_bytes(), [b'd', b'1'..=b'9', b'_', ..]);
        if figure.crawls != CrawlScope::One && column.starts_with("sites") {
            faults.push(format!("{column} is drawn for several crawls, which have different numbers of sites"));
        }
        // No column counts the sites that block, but not by name.
        if column == "share_not_by_name" || !(column.starts_with("share") || is_definition) {
            continue;
        }
        let Some(count) = numerator(column, &asked.columns) else {
            faults.push(format!("{column} has no column with its count"));
            continue;
        };
        for row in &asked.rows {
            let number = |column: &str| row[column].parse::<f64>().ok();
            let (Some(share), Some(count), Some(all)) = (number(column), number(&count), number(figure.counted.0))
            else {
                continue;
            };
            if all > 0.0 && (share - count / all).abs() > 1e-9 {
                faults.push(format!("{column} is {share}, but should be {count} / {all}: {row:?}"));
                break;
            }
        }
    }
    faults
}

/// Names of agents that are also ordinary words.
const WORDS: [&str; 1] = ["Operator"];

fn find_other_agents(figure: &FigureSpec, asked: &Asked) -> Vec<String> {
    let list = include_str!("../../datasets/agents.csv");
    let mut reader = csv::Reader::from_reader(list.as_bytes());
    let tokens: Vec<String> = reader.records().map(|row| row.expect("it is CSV")[0].to_owned()).collect();
    let texts = [figure.title, figure.definition, figure.plot.axis, figure.zero];
    let labels = drawn_columns(figure);
    let texts: Vec<&str> = texts.into_iter().chain(labels.iter().map(|(_, label)| *label)).collect();
    let is_word = |character: char| character.is_alphanumeric() || "-_".contains(character);
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split(|end| !is_word(end))).collect();
    let names_wildcard = texts
        .iter()
        .any(|text| text.split(|end: char| end.is_whitespace() || "(),.;".contains(end)).any(|word| word == "*"));
    let mut named: BTreeSet<String> = tokens
        .iter()
        .filter(|token| {
            token.chars().any(char::is_uppercase) && words.contains(token.as_str()) && !WORDS.contains(&token.as_str())
        })
        .map(|token| token.to_lowercase())
        .collect();
    if names_wildcard || texts.iter().any(|text| text.contains("wildcard")) {
        named.insert("*".to_owned());
    }
    let mut faults = Vec::new();
    let text = asked.question.text.to_lowercase();
    for agent in &named {
        let is_asked = text.contains(&format!("'{agent}'"))
            || asked.values.values().any(|value| value.to_lowercase() == *agent)
            || asked.rows.iter().any(|row| row.values().any(|cell| cell == agent))
            // These views cover the wildcard group.
            || agent == "*" && text.contains("_blocking")
            || agent == "*" && text.contains("pair_differences");
        if !is_asked {
            faults.push(format!("the caption names {agent}, but the statement does not ask about it"));
        }
    }
    for parameter in &asked.question.header.parameters {
        let value = asked.values.get(&parameter.name).map_or(String::new(), |value| value.to_lowercase());
        if matches!(parameter.kind, ParameterKind::Agent) && !value.is_empty() && !named.contains(&value) {
            faults.push(format!("the statement asks about {value}, but the caption does not name it"));
        }
    }
    faults
}

/// Labels say "by name" for blocks by name, and for no others.
fn find_other_names(figure: &FigureSpec) -> Vec<String> {
    let mut faults = Vec::new();
    let caption = format!("{} {} {} {}", figure.title, figure.definition, figure.plot.axis, figure.counted.1);
    for (column, label) in drawn_columns(figure) {
        let is_by_name = column.contains("by_name") && column != "share_not_by_name";
        let says_wildcard = label.contains("wildcard");
        if is_by_name && (says_wildcard || !(label.contains("name") || caption.contains("by name"))) {
            faults.push(format!("{column} counts blocks by name, but its label is {label:?}"));
        }
        if !is_by_name && label.contains("by name") && !says_wildcard {
            faults.push(format!("{column} does not count blocks by name, but its label is {label:?}"));
        }
    }
    faults
}
