//! Explains why an answer has no rows.

use super::prepared::Prepared;
use crate::answer::OpenSession;
use analyze::statement::{ParameterValue, ParameterValues};
use datafusion::arrow::array::RecordBatch;
use folder::Failure;
use std::path::Path;

/// The reason, as a message.
pub(super) fn reason(prepared: &Prepared<'_>, opened: &OpenSession) -> Failure {
    let cause = around_event(prepared, opened)
        .or_else(|| two_crawls(prepared, opened))
        .or_else(|| empty_table(prepared, opened))
        .unwrap_or_else(|| typed(prepared));
    Failure::new("answer is empty", Path::new(&prepared.question.name), cause)
}

/// The reason, if the question compares the crawls before and after an event.
fn around_event(prepared: &Prepared<'_>, opened: &OpenSession) -> Option<String> {
    prepared.question.header.reads.iter().find(|read| *read == "events")?;
    let Some(ParameterValue::Text(event)) = prepared.values.get("event") else { return None };
    let sql = "SELECT CAST(e.event_day AS varchar), CAST(min(c.first_day) AS varchar), CAST(max(c.last_day) AS varchar), \
        CAST(count(*) FILTER (WHERE c.last_day < e.event_day) AS varchar), \
        CAST(count(*) FILTER (WHERE c.first_day >= e.event_day) AS varchar) \
        FROM events AS e CROSS JOIN crawls AS c WHERE e.event = $event GROUP BY e.event_day";
    let rows = opened.texts(sql, &[("event".to_owned(), ParameterValue::Text(event.clone()))].into()).ok()?;
    let [day, first, last, before, after] = rows.first()?.as_slice() else { return None };
    let crawls = format!("the crawls of the folder were fetched from {first} to {last}");
    Some(match (before.as_str(), after.as_str()) {
        ("0", _) => format!("no crawl ended before {day}, the day of the event; {crawls}"),
        (_, "0") => format!("no crawl started on {day}, the day of the event, or later; {crawls}"),
        _ => "no counted site answered both before and after the event".to_owned(),
    })
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
        let rows = opened.collect(&format!("SELECT 1 AS one FROM {table} LIMIT 1"), &ParameterValues::new());
        rows.is_ok_and(|batches| batches.iter().map(RecordBatch::num_rows).sum::<usize>() == 0)
    };
    own.chain(tables.iter().filter(|table| *table == "sites" || *table == "captures"))
        .find(is_empty)
        .map(|table| format!("the table {table} has no row"))
}

fn typed(prepared: &Prepared<'_>) -> String {
    let options: Vec<String> =
        prepared.typed.iter().map(|(name, value)| format!("--{} {value}", name.replace('_', "-"))).collect();
    let grain = &prepared.question.header.grain;
    match options.as_slice() {
        [] => format!("the folder has no such rows: {grain}"),
        options => format!("the folder has no such rows for {}: {grain}", options.join(" ")),
    }
}
