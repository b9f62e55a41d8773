//! A session with the functions, and the tables of a few sites.

#![allow(clippy::unwrap_used, reason = "called by tests, which fail by it")]

use crate::functions::register;
use datafusion::arrow::array::{ArrayRef, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// A site: its host, its outcome, the status of the response that decides the outcome, and its file if it has one.
pub(super) type Site = (&'static str, &'static str, Option<i32>, Option<&'static str>);

/// A file whose text was not kept.
pub(super) const UNKEPT: &str = "User-agent: unkept\n";

/// A session without tables.
pub(super) fn session() -> SessionContext {
    let context = SessionContext::new();
    register(&context);
    context
}

/// A session with these sites. Each different file is one body; sites with the same file share its body.
pub(super) fn session_of(sites: &[Site]) -> SessionContext {
    let mut bodies: Vec<&str> = sites.iter().filter_map(|(.., body)| *body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let body_id = |body: &str| bodies.iter().position(|other| *other == body).map(|place| place as i64);
    let context = session();
    let text = |values: Vec<&str>| Arc::new(StringArray::from(values)) as ArrayRef;
    let crawls = |rows: usize| text(vec!["TEST-1"; rows]);

    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("crawl", crawls(sites.len()), true),
        ("site_id", Arc::new(Int64Array::from_iter_values(0..sites.len() as i64)), true),
        ("url_protocol", text(vec!["https"; sites.len()]), true),
        ("url_host_name", text(sites.iter().map(|(host, ..)| *host).collect()), true),
        ("url_port", Arc::new(Int32Array::from(vec![443; sites.len()])), true),
        ("outcome", text(sites.iter().map(|(_, outcome, ..)| *outcome).collect()), true),
        ("final_status", Arc::new(sites.iter().map(|(_, _, status, _)| *status).collect::<Int32Array>()), true),
        ("body_id", Arc::new(sites.iter().map(|(.., body)| body.and_then(body_id)).collect::<Int64Array>()), true),
    ];
    let table = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    context.register_batch("sites", table).unwrap();

    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("crawl", crawls(bodies.len()), true),
        ("body_id", Arc::new(Int64Array::from_iter_values(0..bodies.len() as i64)), true),
        (
            "encoding",
            text(bodies.iter().map(|body| robots::parse(body.as_bytes()).facts.encoding.name()).collect()),
            true,
        ),
        // As `ingest --keep-text` writes it, except that `UNKEPT` has no text.
        ("text", Arc::new(bodies.iter().map(|body| (*body != UNKEPT).then_some(*body)).collect::<StringArray>()), true),
    ];
    context.register_batch("bodies", RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap();

    let parsed: Vec<_> = bodies.iter().map(|body| robots::parse(body.as_bytes())).collect();
    let agents: Vec<_> = parsed
        .iter()
        .zip(0i64..)
        .flat_map(|(file, id)| file.agents().iter().map(move |agent| (file, id, agent)))
        .collect();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("crawl", crawls(agents.len()), true),
        ("body_id", Arc::new(Int64Array::from_iter_values(agents.iter().map(|(_, id, _)| *id))), true),
        (
            "group_no",
            Arc::new(Int32Array::from_iter_values(agents.iter().map(|(_, _, agent)| agent.group as i32))),
            true,
        ),
        ("agent_no", Arc::new(Int32Array::from_iter_values(0..agents.len() as i32)), true),
        (
            "line_no",
            Arc::new(Int32Array::from_iter_values(agents.iter().map(|(_, _, agent)| agent.line_no as i32))),
            true,
        ),
        (
            "agent",
            text(agents.iter().map(|(file, _, agent)| std::str::from_utf8(file.bytes(agent.value)).unwrap()).collect()),
            true,
        ),
    ];
    context.register_batch("groups", RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap();

    let rules: Vec<_> = parsed
        .iter()
        .zip(0i64..)
        .flat_map(|(file, id)| file.rules().iter().map(move |rule| (file, id, rule)))
        .collect();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("crawl", crawls(rules.len()), true),
        ("body_id", Arc::new(Int64Array::from_iter_values(rules.iter().map(|(_, id, _)| *id))), true),
        ("rule_no", Arc::new(Int32Array::from_iter_values(0..rules.len() as i32)), true),
        (
            "group_no",
            Arc::new(rules.iter().map(|(_, _, rule)| rule.group.map(|group| group as i32)).collect::<Int32Array>()),
            true,
        ),
        ("line_no", Arc::new(Int32Array::from_iter_values(rules.iter().map(|(_, _, rule)| rule.line_no as i32))), true),
        ("allow", Arc::new(rules.iter().map(|(_, _, rule)| Some(rule.allow)).collect::<BooleanArray>()), true),
        (
            "pattern",
            text(rules.iter().map(|(file, _, rule)| std::str::from_utf8(file.bytes(rule.pattern)).unwrap()).collect()),
            true,
        ),
    ];
    context.register_batch("rules", RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap();
    context
}

pub(super) fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// The batches of a statement.
pub(super) fn batches(context: &SessionContext, sql: &str) -> Vec<RecordBatch> {
    wait(async { context.sql(sql).await?.collect().await }).unwrap_or_else(|error| panic!("{error}\n{sql}"))
}

/// The rows of a statement, with a blank between values; null is an empty text.
pub(super) fn rows(context: &SessionContext, sql: &str) -> Vec<String> {
    let row = |batch: &RecordBatch, row: usize| {
        let values = batch.columns().iter().map(|column| array_value_to_string(column, row).unwrap());
        values.collect::<Vec<_>>().join(" ")
    };
    let of = |batch: &RecordBatch| (0..batch.num_rows()).map(|nth| row(batch, nth)).collect::<Vec<_>>();
    batches(context, sql).iter().flat_map(of).collect()
}

/// The rows of a statement without tables.
pub(super) fn column(sql: &str) -> Vec<String> {
    rows(&session(), sql)
}

/// The value of an expression.
pub(super) fn scalar(expression: &str) -> String {
    column(&format!("SELECT {expression}")).remove(0)
}

/// The error of a statement without tables.
pub(super) fn error(sql: &str) -> String {
    let context = session();
    let failure = wait(async { context.sql(sql).await?.collect().await });
    failure.map(|_| ()).unwrap_err().to_string()
}
