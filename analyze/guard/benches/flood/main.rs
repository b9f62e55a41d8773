//! Measures an attack that the guard stops: sites whose robots.txt has 40,000 lines with the same hash in DataFusion.
//!
//! `cargo bench -p guard` groups the lines of 1, 10 and 100 such sites by their text, with and without the guard, and
//! equally many harmless lines for comparison. Without the guard, the time grows with the square of the number of
//! lines. A run that would take more than ten minutes is estimated from the run before it, and marked as estimated.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and stops where something fails")]

mod collisions;

use collisions::{GROUP, crafted, harmless};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::datasource::MemTable;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::SessionContext;
use guard::{Origin, guarded};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Runtime;

const LINES_A_SITE: usize = 40_000;
const LONGEST_SECONDS: f64 = 600.0;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    println!("{:>5} {:>10} {:>9} {:>15} {:>15}", "sites", "lines", "harmless", "with the guard", "without");
    let mut before: Option<f64> = None;
    for sites in [1, 10, 100] {
        let lines = sites * LINES_A_SITE;
        let (crafted, harmless) = (batches(&crafted(GROUP, lines)), batches(&harmless(GROUP, lines)));
        let control = seconds(&runtime, &session(false), &harmless);
        let with = seconds(&runtime, &session(true), &crafted);
        // Ten times the lines take a hundred times as long.
        let (seconds, how) = match before.map(|before| before * 100.0) {
            Some(expected) if expected > LONGEST_SECONDS => (expected, "estimated "),
            _ => (seconds(&runtime, &session(false), &crafted), ""),
        };
        before = Some(seconds);
        let without = format!("{how}{seconds:.2}");
        println!("{sites:>5} {lines:>10} {control:>9.2} {with:>15.2} {without:>15}");
    }
}

fn session(is_guarded: bool) -> SessionContext {
    let builder = SessionStateBuilder::new().with_default_features();
    let builder = if is_guarded { guarded(builder, |_, _| Origin::Untrusted) } else { builder };
    SessionContext::new_with_state(builder.build())
}

fn batches(texts: &[String]) -> Vec<RecordBatch> {
    let batch = |texts: &[String]| {
        let column: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
        RecordBatch::try_from_iter([("text", column)]).unwrap()
    };
    texts.chunks(8192).map(batch).collect()
}

/// The seconds that grouping texts takes on one thread.
fn seconds(runtime: &Runtime, session: &SessionContext, batches: &[RecordBatch]) -> f64 {
    let schema = batches.first().map(RecordBatch::schema).unwrap();
    let table = MemTable::try_new(schema, vec![batches.to_vec()]).unwrap();
    session.register_table("lines", Arc::new(table)).unwrap();
    let start = Instant::now();
    let grouped = "SELECT count(*) FROM (SELECT text, count(*) FROM lines GROUP BY text)";
    let rows = runtime.block_on(async { session.sql(grouped).await?.collect().await });
    assert!(rows.is_ok_and(|rows| !rows.is_empty()));
    start.elapsed().as_secs_f64()
}
