//! What is to have no row: each file of `queries/checks`, run over the tables.

use crate::engine::session::Session;
use crate::queries::{self, Query};
use crate::statement::ParameterValues;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::DataFusionError;
use folder::{Failure, models};
use futures_util::TryStreamExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the checks found.
#[derive(Debug, Default)]
pub struct Found {
    /// How many were run.
    pub run: u64,
    /// How many were not, since the derived tables that they read are not made, or since it was told to stop.
    pub left: u64,
    /// What has rows.
    pub contradictions: Vec<Failure>,
}

/// Runs all of them.
pub async fn run(session: &Session, stop: &AtomicBool) -> Result<Found, Failure> {
    let mut found = Found::default();
    for check in queries::all(queries::QueryKind::Check)? {
        if stop.load(Ordering::Relaxed) || !has_its_tables(session, &check)? {
            found.left += 1;
            continue;
        }
        let path = PathBuf::from(format!("queries/checks/{}.sql", check.name));
        let cannot = |error: DataFusionError| Failure::new("check cannot be run", &path, error.strip_backtrace());
        let statement = check.statement(&[], &ParameterValues::new())?;
        let mut stream =
            session.answer(statement.into()).await.map_err(cannot)?.execute_stream().await.map_err(cannot)?;
        let (mut rows, mut first) = (0, None);
        while let Some(batch) = stream.try_next().await.map_err(cannot)? {
            rows += batch.num_rows();
            first = first.or_else(|| first_row(&batch));
        }
        found.run += 1;
        if let Some(first) = first {
            let rows = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows, the first") };
            let cause = format_args!("{}: {rows}: {first}", check.header.title);
            found.contradictions.push(Failure::new("tables contradict each other", &path, cause));
        }
    }
    Ok(found)
}

/// A derived table that was never made contradicts nothing.
fn has_its_tables(session: &Session, check: &Query) -> Result<bool, Failure> {
    for table in tables::derived().iter().filter(|table| check.header.reads.iter().any(|name| name == table.name)) {
        if models::each(session.folder(), table.name)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first row of a batch, with the names of its columns.
fn first_row(batch: &RecordBatch) -> Option<String> {
    if batch.num_rows() == 0 {
        return None;
    }
    let options = FormatOptions::default().with_null("null");
    let schema = batch.schema();
    let cells = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
        let value = ArrayFormatter::try_new(column, &options).map(|formatter| formatter.value(0).to_string());
        format!("{} {}", field.name(), value.unwrap_or_default())
    });
    Some(cells.collect::<Vec<_>>().join(", "))
}
