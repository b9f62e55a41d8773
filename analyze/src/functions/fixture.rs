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
    let register = |table: &str, rows: usize, columns: Vec<(&str, ArrayRef)>| {
        let crawls = texts(std::iter::repeat_n("TEST-1", rows));
        let columns = [("crawl", crawls)].into_iter().chain(columns).map(|(name, values)| (name, values, true));
        context.register_batch(table, RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap();
    };
    let of_sites = vec![
        ("site_id", longs(0..sites.len() as i64)),
        ("url_protocol", texts(sites.iter().map(|_| "https"))),
        ("url_host_name", texts(sites.iter().map(|(host, ..)| *host))),
        ("url_port", numbers(sites.iter().map(|_| 443))),
        ("outcome", texts(sites.iter().map(|(_, outcome, ..)| *outcome))),
        ("final_status", Arc::new(sites.iter().map(|(_, _, status, _)| *status).collect::<Int32Array>())),
        ("body_id", Arc::new(sites.iter().map(|(.., body)| body.and_then(body_id)).collect::<Int64Array>())),
    ];
    register("sites", sites.len(), of_sites);

    let parsed: Vec<_> = bodies.iter().map(|body| robots::parse(body.as_bytes())).collect();
    // As `ingest --keep-text` writes it, except that `UNKEPT` has no text.
    let kept = bodies.iter().map(|body| (*body != UNKEPT).then_some(*body));
    let of_bodies = vec![
        ("body_id", longs(0..bodies.len() as i64)),
        ("encoding", texts(parsed.iter().map(|file| file.facts.encoding.name()))),
        ("text", Arc::new(kept.collect::<StringArray>()) as ArrayRef),
    ];
    register("bodies", bodies.len(), of_bodies);

    let with_id = || parsed.iter().zip(0_i64..);
    let agents: Vec<_> =
        with_id().flat_map(|(file, id)| file.agents().iter().map(move |agent| (file, id, agent))).collect();
    let of_agents = vec![
        ("body_id", longs(agents.iter().map(|(_, id, _)| *id))),
        ("group_no", numbers(agents.iter().map(|(_, _, agent)| agent.group as i32))),
        ("agent_no", numbers(0..agents.len() as i32)),
        ("line_no", numbers(agents.iter().map(|(_, _, agent)| agent.line_no as i32))),
        ("agent", texts(agents.iter().map(|(file, _, agent)| std::str::from_utf8(file.bytes(agent.value)).unwrap()))),
    ];
    register("groups", agents.len(), of_agents);

    let rules: Vec<_> =
        with_id().flat_map(|(file, id)| file.rules().iter().map(move |rule| (file, id, rule))).collect();
    let groups = rules.iter().map(|(_, _, rule)| rule.group.map(|group| group as i32));
    let of_rules = vec![
        ("body_id", longs(rules.iter().map(|(_, id, _)| *id))),
        ("rule_no", numbers(0..rules.len() as i32)),
        ("group_no", Arc::new(groups.collect::<Int32Array>())),
        ("line_no", numbers(rules.iter().map(|(_, _, rule)| rule.line_no as i32))),
        ("allow", Arc::new(rules.iter().map(|(_, _, rule)| Some(rule.allow)).collect::<BooleanArray>())),
        ("pattern", texts(rules.iter().map(|(file, _, rule)| std::str::from_utf8(file.bytes(rule.pattern)).unwrap()))),
    ];
    register("rules", rules.len(), of_rules);
    context
}

fn texts<'t>(values: impl Iterator<Item = &'t str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

fn numbers(values: impl Iterator<Item = i32>) -> ArrayRef {
    Arc::new(Int32Array::from_iter_values(values))
}

fn longs(values: impl Iterator<Item = i64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values))
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
