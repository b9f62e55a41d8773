//! Reports missing tables that a question needs, and typed names that do not exist. Without
//! this, the answer would be empty without a reason.

use super::prepared::Prepared;
use crate::answer::OpenSession;
use crate::own_tables::{self, OwnTableReader};
use analyze::queries::{OF_TRACKED_AGENTS, Parameter, ParameterKind, UntrackedAgents};
use analyze::statement::ParameterValue;
use analyze::{SessionOptions, did_you_mean};
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Values of parameters that need a table of the user: parameter, value, table, columns.
const NEEDED_BY: [(&str, &str, &str, &str); 4] = [
    ("by", "rank", "ranks", "host and rank, such as a list of top sites"),
    ("by", "rank-cumulative", "ranks", "host and rank, such as a list of top sites"),
    ("by", "category", "categories", "host and category"),
    ("weight", "own", "weights", "host and weight"),
];

/// Fails if the question needs a table of the user that is missing.
pub(super) fn tables(prepared: &Prepared<'_>, options: &SessionOptions) -> Result<(), Failure> {
    let has = |table: &str| options.own.iter().any(|own| own.name == table);
    let reads = prepared.question.tables(&prepared.views);
    for (parameter, value, table, columns) in NEEDED_BY {
        let is_set = match prepared.values.get(parameter) {
            Some(ParameterValue::Text(text)) => text == value,
            Some(ParameterValue::Texts(texts)) => texts.iter().any(|text| text == value),
            _ => false,
        };
        if is_set && reads.contains(table) && !has(table) {
            return Err(missing(prepared, &format!("--{parameter} {value} needs"), table, columns));
        }
    }
    for (_, _, table, columns) in NEEDED_BY {
        if prepared.question.header.reads.iter().any(|read| read == table) && !has(table) {
            return Err(missing(prepared, "the question reads", table, columns));
        }
    }
    Ok(())
}

fn missing(prepared: &Prepared<'_>, who: &str, table: &str, columns: &str) -> Failure {
    let cause = format!("{who} the table {table}; provide it with --table {table}=FILE, with the columns {columns}");
    Failure::new("table is missing", Path::new(&prepared.question.name), cause)
}

/// Fails for each table of the user that no question reads, and for each missing file.
pub(super) fn own_tables(prepared: &Prepared<'_>, options: &SessionOptions) -> Result<(), Vec<Failure>> {
    let reads = prepared.question.tables(&prepared.views);
    let known: BTreeSet<&str> = reads.iter().map(String::as_str).chain(analyze::user_tables()).collect();
    own_tables::check(&options.own, &known, OwnTableReader::Question)
}

/// Fails for a typed crawl, template or purpose that does not exist.
pub(super) fn names(prepared: &Prepared<'_>, opened: &OpenSession) -> Result<(), Failure> {
    const TEMPLATES: &str = "SELECT DISTINCT template FROM templates";
    const PURPOSES: &str = "SELECT DISTINCT purposes FROM agents WHERE tracked AND purposes IS NOT NULL";
    for parameter in prepared.question.parameters(&prepared.views) {
        // A typed empty name is an error: a script may have lost its value. The default crawl means all crawls.
        let Some(typed) = prepared.typed.get(&parameter.name) else { continue };
        match parameter.kind {
            ParameterKind::Crawl => opened.session.find_crawl(typed)?,
            ParameterKind::Template => find_name("template is unknown", typed, "templates are", TEMPLATES, opened)?,
            ParameterKind::Purpose => find_name("purpose is unknown", typed, "tracked agents have", PURPOSES, opened)?,
            _ => {}
        }
    }
    Ok(())
}

/// Fails for a name that is not a word of the texts that a statement returns.
fn find_name(what: &'static str, typed: &str, known: &str, sql: &str, opened: &OpenSession) -> Result<(), Failure> {
    let texts = texts(sql, &[], opened)?;
    let names: BTreeSet<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
    if names.contains(typed) {
        return Ok(());
    }
    let list: Vec<&str> = names.iter().copied().collect();
    let cause = format!("{known} {}{}", list.join(", "), did_you_mean(typed, names));
    Err(Failure::new(what, Path::new(typed), cause))
}

/// Settles which agents are asked about, and returns those for which the derived tables have no verdicts. A name with
/// blanks is one agent if it is known, and several names otherwise. Fails for a typed agent that is not tracked and that
/// no file names.
pub(super) fn settle_agents(prepared: &mut Prepared<'_>, opened: &OpenSession) -> Result<UntrackedAgents, Failure> {
    let asked = asked_agents(prepared);
    let readings: BTreeSet<&String> = asked.values().flatten().flatten().collect();
    if readings.is_empty() {
        return Ok(UntrackedAgents::default());
    }
    let readings: Vec<String> = readings.into_iter().cloned().collect();
    // The list of agents stands in for tracked_agents where the question reads no derived table: that table may be
    // missing.
    let tables = prepared.question.tables(&prepared.views);
    let tracked = match tables.iter().any(|table| OF_TRACKED_AGENTS.contains(&table.as_str())) {
        true => texts("SELECT DISTINCT agent FROM tracked_agents WHERE agent IN ($tokens)", &readings, opened)?,
        false => texts("SELECT token FROM agents WHERE tracked AND token IN ($tokens)", &readings, opened)?,
    };
    let others: Vec<String> = readings.into_iter().filter(|token| token != "*" && !tracked.contains(token)).collect();
    let named = match others.is_empty() {
        true => BTreeSet::new(),
        false => texts("SELECT DISTINCT token FROM policies WHERE token IN ($tokens)", &others, opened)?,
    };
    let is_known = |token: &String| token == "*" || tracked.contains(token) || named.contains(token);
    let mut untracked = BTreeSet::new();
    for (parameter, names) in asked {
        let is_typed = prepared.typed.contains_key(&parameter);
        let mut agents: Vec<String> = Vec::new();
        for name in names {
            let settled = match name.split_first() {
                Some((whole, words)) if !is_known(whole) && words.iter().any(is_known) => words,
                Some((whole, _)) => std::slice::from_ref(whole),
                None => &[],
            };
            if let Some(unknown) = settled.iter().find(|token| is_typed && !is_known(token)) {
                return Err(unknown_agent(unknown, prepared, opened));
            }
            agents.extend(settled.iter().cloned());
        }
        untracked.extend(agents.iter().filter(|token| others.contains(token)).cloned());
        if let Some(value @ ParameterValue::Texts(_)) = prepared.values.get_mut(&parameter) {
            *value = ParameterValue::Texts(agents);
        }
    }
    let crawls = match prepared.values.get("crawl") {
        Some(ParameterValue::Text(crawl)) if !crawl.is_empty() => vec![crawl.clone()],
        _ => opened.session.crawls(),
    };
    Ok(UntrackedAgents { tokens: untracked.into_iter().collect(), crawls })
}

/// Whether the question is about agents that may be untracked.
pub(super) fn has_agents(prepared: &Prepared<'_>) -> bool {
    !asked_agents(prepared).is_empty()
}

/// The agents that may be untracked, by parameter: those that the user typed, and those of defaults if the question or
/// the list of agents is the user's. Each text between commas becomes a list of its readings: the whole, and each word
/// if it has several.
fn asked_agents(prepared: &Prepared<'_>) -> BTreeMap<String, Vec<Vec<String>>> {
    let readings = |name: &str| match ParameterKind::Agents.read(name) {
        Ok(ParameterValue::Texts(texts)) => texts,
        _ => Vec::new(),
    };
    let of_parameter = |parameter: Parameter| {
        let default = prepared.has_own_agents.then_some(&parameter.written_default);
        let written = prepared.typed.get(&parameter.name).or(default)?;
        let mut names = match parameter.kind {
            ParameterKind::Agent => vec![vec![written.to_ascii_lowercase()]],
            ParameterKind::Agents => written.split(',').map(readings).collect(),
            _ => return None,
        };
        names.iter_mut().for_each(|readings| readings.retain(|reading| !reading.is_empty()));
        names.retain(|readings| !readings.is_empty());
        (!names.is_empty()).then_some((parameter.name, names))
    };
    prepared.question.parameters(&prepared.views).into_iter().filter_map(of_parameter).collect()
}

fn unknown_agent(agent: &str, prepared: &Prepared<'_>, opened: &OpenSession) -> Failure {
    let known = texts("SELECT token FROM agents WHERE tracked UNION SELECT token FROM policies", &[], opened);
    let meant = known.map(|known| did_you_mean(agent, known.iter().map(String::as_str))).unwrap_or_default();
    let place = format!("{agent} in {}", prepared.question.name);
    let cause = format!(
        "it is not tracked, and no file in the folder names it; * stands for every crawler that a file does not name, and \
         robocensus query top_agents lists the names in files{meant}"
    );
    Failure::new("agent is unknown", Path::new(&place), cause)
}

/// The texts that a statement of this program returns in its first column.
fn texts(sql: &str, tokens: &[String], opened: &OpenSession) -> Result<BTreeSet<String>, Failure> {
    let rows = opened.texts(sql, &[("tokens".to_owned(), ParameterValue::Texts(tokens.to_vec()))].into())?;
    Ok(rows.into_iter().filter_map(|row| row.into_iter().next()).collect())
}
