//! Explains why an answer has no rows.

use super::prepared::Prepared;
use super::resolve_typed;
use crate::answer::OpenSession;
use crate::terminal::counted;
use analyze::queries::option_name;
use analyze::statement::{ParameterValue, ParameterValues};
use folder::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// Parameters that leave out rows below a number, which may be greater than 1 by default.
const MINIMA: [&str; 3] = ["min_sites", "minimum", "least"];

/// The reason, as a message.
pub(super) fn reason(prepared: &Prepared<'_>, opened: &OpenSession) -> Failure {
    let cause = missing_crawls(prepared, opened)
        .or_else(|| two_crawls(prepared, opened))
        .or_else(|| empty_table(prepared, opened))
        .unwrap_or_else(|| conditions(prepared, opened));
    Failure::new("answer is empty", Path::new(&prepared.question.name), cause)
}

/// The reason, if no crawl is before or after the event of the question.
fn missing_crawls(prepared: &Prepared<'_>, opened: &OpenSession) -> Option<String> {
    prepared.question.header.reads.iter().find(|read| *read == "events")?;
    let Some(ParameterValue::Text(event)) = prepared.values.get("event") else { return None };
    let sql = "SELECT CAST(e.event_day AS varchar), CAST(min(c.first_day) AS varchar), CAST(max(c.last_day) AS varchar), \
        CAST(count(*) FILTER (WHERE c.last_day < e.event_day) AS varchar), \
        CAST(count(*) FILTER (WHERE c.first_day >= e.event_day) AS varchar) \
        FROM events AS e CROSS JOIN crawls AS c WHERE e.event = $event GROUP BY e.event_day";
    let rows = opened.texts(sql, &[("event".to_owned(), ParameterValue::Text(event.clone()))].into()).ok()?;
    let [day, first, last, before, after] = rows.first()?.as_slice() else { return None };
    let crawls = format!("the crawls of the folder were fetched from {first} to {last}");
    match (before.as_str(), after.as_str()) {
        ("0", _) => Some(format!("no crawl ended before {day}, the day of the event; {crawls}")),
        (_, "0") => Some(format!("no crawl started on {day}, the day of the event, or later; {crawls}")),
        _ => None,
    }
}

/// The reason, if the question compares two crawls and the folder has only one.
fn two_crawls(prepared: &Prepared<'_>, opened: &OpenSession) -> Option<String> {
    let is_panel = prepared.question.header.reads.iter().any(|read| read == "panel");
    match opened.session.crawls().as_slice() {
        [only] if is_panel => Some(format!("it compares two crawls, and the folder has one, {only}")),
        _ => None,
    }
}

/// The reason, if a table is empty that the question reads itself, not through a view.
fn empty_table(prepared: &Prepared<'_>, opened: &OpenSession) -> Option<String> {
    let of_question = &prepared.question.header.reads;
    let tables = prepared.question.tables(&prepared.views);
    let own = of_question.iter().filter(|read| tables.contains(*read));
    let is_empty = |table: &&String| {
        let rows = opened.texts(&format!("SELECT '' AS one FROM {table} LIMIT 1"), &ParameterValues::new());
        rows.is_ok_and(|rows| rows.is_empty())
    };
    own.chain(tables.iter().filter(|table| *table == "sites" || *table == "captures"))
        .find(is_empty)
        .map(|table| format!("the table {table} has no row"))
}

/// A value of a parameter that may have excluded all rows.
struct Condition {
    parameter: String,
    /// The option, as the user typed it or could have typed it.
    option: String,
    /// A value that excludes nothing; `None` for the default.
    loosest: Option<&'static str>,
}

impl Condition {
    /// How the condition can be dropped.
    fn dropped(&self) -> String {
        let name = option_name(&self.parameter);
        self.loosest.map_or_else(|| format!("without --{name}"), |loosest| format!("with --{name} {loosest}"))
    }
}

/// Which conditions no row meets, and which of them can be dropped so that there are rows. For this, the question is
/// asked again without each of them.
fn conditions(prepared: &Prepared<'_>, opened: &OpenSession) -> String {
    let conditions: Vec<Condition> = (prepared.values.iter())
        .filter_map(|(name, value)| {
            let is_minimum = MINIMA.contains(&name.as_str()) && !matches!(value, ParameterValue::Integer(..=1));
            let option = match prepared.typed.get(name) {
                Some(typed) => format!("--{} {typed}", option_name(name)),
                None if is_minimum => format!("--{} {value} (the default)", option_name(name)),
                None => return None,
            };
            Some(Condition { parameter: name.clone(), option, loosest: is_minimum.then_some("1") })
        })
        .collect();
    if conditions.is_empty() {
        return format!("nothing in the tables fits the question; {}", help(prepared));
    }
    let options: Vec<&str> = conditions.iter().map(|condition| condition.option.as_str()).collect();
    let unmet = format!("no row fits {}", options.join(" "));
    let rows_without = |dropped: &[Condition]| rows_without(dropped, prepared, opened).filter(|rows| *rows > 0);
    let ways: Vec<String> = (conditions.iter())
        .filter_map(|condition| {
            let rows = rows_without(std::slice::from_ref(condition))?;
            Some(format!("{} {}", condition.dropped(), there_are(rows)))
        })
        .collect();
    if !ways.is_empty() {
        return format!("{unmet}; {}", ways.join("; "));
    }
    match (conditions.len(), rows_without(&conditions)) {
        (1, _) | (_, None) => format!("{unmet}, and there is none without; {}", help(prepared)),
        (_, Some(rows)) => format!("{unmet}; without all of these {}", there_are(rows)),
    }
}

fn help(prepared: &Prepared<'_>) -> String {
    format!("robocensus query {} --help says what it counts", prepared.question.name)
}

fn there_are(rows: usize) -> String {
    format!("there {} {}", if rows == 1 { "is" } else { "are" }, counted(rows as u64, "row"))
}

/// How many rows the answer has without some conditions; `None` if it cannot be computed, or Ctrl-C comes first.
fn rows_without(dropped: &[Condition], prepared: &Prepared<'_>, opened: &OpenSession) -> Option<usize> {
    let mut typed: BTreeMap<String, String> = prepared.typed.clone();
    for Condition { parameter, loosest, .. } in dropped {
        match loosest {
            None => typed.remove(parameter),
            Some(loosest) => typed.insert(parameter.clone(), (*loosest).to_owned()),
        };
    }
    let mut other = prepared.with(typed).ok()?;
    resolve_typed(&mut other, opened).ok()?;
    opened.count_rows(other.statement.into())
}
