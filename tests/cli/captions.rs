//! The captions of the report name the agents, columns, denominators and crawls of their statements.
//!
//! A caption states its denominator in words. For each of these texts, a statement in `denominators` counts it from other
//! tables than the question reads, and the numbers must agree. A share must equal its count divided by the denominator.
//! Then faults are planted in figures; the checks must find each of them. Without `ROBOCENSUS_FULL`, only these figures
//! and every eighth other are checked.

mod denominators;

use crate::given::RANKS;
use crate::questions::{answer, modelled, wait};
use crate::rendering;
use crate::run::TestFolder;
use analyze::queries::{self, ParameterKind, Query, QueryKind};
use analyze::statement::ParameterValue;
use analyze::{OwnTable, Session, SessionOptions};
use committed::full::step;
use denominators::{Counted, count_denominators, find_other_denominators};
use report::{ChartKind, CrawlScope, FigureSpec, Series, figures};
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
        let is_changed = |figure: &FigureSpec| PLANTED.iter().any(|(_, id, _)| *id == figure.id);
        let checked = figures().enumerate().filter(|(nth, figure)| nth.is_multiple_of(step(8)) || is_changed(figure));
        for (_, figure) in checked {
            let asked = ask(&session, figure).await;
            faults.extend(find_faults(figure, &asked, &counted));
            answers.insert(figure.id, asked);
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert_planted_faults_are_found(&session, &answers, &counted).await;
    });
}

/// A fault of a caption, its figure, and the change that plants the fault.
type PlantedFault = (&'static str, &'static str, fn(&mut FigureSpec));

/// Changes that make captions false.
const PLANTED: &[PlantedFault] = &[
    ("the statement asks about another agent", "dialect_disagreement", |figure| figure.set = &[("agent", "ccbot")]),
    ("the caption names an agent that the statement does not ask about", "dialect_disagreement", |figure| {
        figure.definition = "Share of sites whose verdict differs, for GPTBot and *.";
    }),
    ("the caption does not name the agent", "dialect_disagreement", |figure| {
        figure.definition = "Share of sites whose verdict differs.";
    }),
    ("the denominator is another column", "limit_effect", |figure| figure.counted = ("sites_blocked", "")),
    ("the denominator is another number", "ai_overview", |figure| figure.counted = ("sites", "")),
    ("the words name another denominator", "ai_overview", |figure| figure.counted.1 = "sites whose file was read"),
    ("no statement counts the denominator", "signal_adoption", |figure| figure.counted.1 = "sites of note"),
    ("the question counts other sites", "top_agents", |figure| {
        figure.set = &[("denominator", "all")];
        figure.counted.1 = "sites whose file was read";
    }),
    ("a column is not in the answer", "top_agents", |figure| figure.columns = &["agent", "share_of_nothing"]),
    ("the chart draws a column that is not in the answer", "top_agents", |figure| {
        figure.plot.series = Series::One("share_of_nothing");
    }),
    ("blocks by the wildcard group are called blocks by name", "ai_overview", |figure| {
        figure.plot.series = Series::Wide(&[("share", "any, by name")]);
    }),
    ("blocks by name are called blocks by the wildcard group", "ai_overview", |figure| {
        figure.plot.series = Series::Wide(&[("share_by_name", "any, by name or by the wildcard group")]);
    }),
    ("a figure of all crawls is of one", "ai_overview", |figure| figure.set = &[("crawl", CRAWL)]),
    ("crawls are compared by numbers of sites", "noblock_rate", |figure| {
        figure.plot.series = Series::One("sites_disallowing");
    }),
    ("a share of the table is of something else", "stale_tokens", |figure| figure.columns = &["agent", "share"]),
    ("a share is of something else", "sitemaps", |figure| figure.counted = ("sites_sitemap", "")),
];

/// Each planted change is found.
async fn assert_planted_faults_are_found(
    session: &Session,
    answers: &BTreeMap<&'static str, Asked>,
    counted: &Counted,
) {
    for (what, id, change) in PLANTED {
        let original = figures().find(|figure| figure.id == *id).unwrap_or_else(|| panic!("there is no {id}"));
        let mut changed = *original;
        change(&mut changed);
        let faults = match changed.set == original.set {
            true => find_faults(&changed, &answers[id], counted),
            false => find_faults(&changed, &ask(session, &changed).await, counted),
        };
        assert!(!faults.is_empty(), "{id}: not found: {what}");
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

/// The contradictions between a figure and its statement.
fn find_faults(figure: &FigureSpec, asked: &Asked, counted: &Counted) -> Vec<String> {
    let mut faults = find_missing_columns(figure, asked);
    if faults.is_empty() {
        faults.extend(find_other_crawls(figure, asked));
        faults.extend(find_other_denominators(figure, asked, counted));
        faults.extend(find_other_shares(figure, asked));
        faults.extend(find_other_table_shares(figure, asked));
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

/// With a small denominator, tables show counts: the share times the denominator of its column.
fn find_other_table_shares(figure: &FigureSpec, asked: &Asked) -> Vec<String> {
    let mut faults = Vec::new();
    for column in figure.columns.iter().filter(|column| column.starts_with("share")) {
        let denominator = figure.denominator(column);
        let is_other = |row: &&Row| {
            let number = |column: &str| row[column].parse::<f64>().ok();
            let count = number(column).zip(number(denominator)).map(|(share, all)| share * all);
            count.is_some_and(|count| (count - count.round()).abs() > 1e-6)
        };
        let other = asked.rows.iter().find(is_other);
        faults.extend(other.map(|row| format!("{column} is not a share of {denominator}: {row:?}")));
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
