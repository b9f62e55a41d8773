//! Runs the files of `queries/checks`. Over valid tables, none of them returns a row.

use crate::engine::failure::{engine_failure, failure_in};
use crate::engine::session::Session;
use crate::queries::{self, Query};
use crate::statement::ParameterValues;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::DataFusionError;
use folder::{Failure, models};
use futures_util::TryStreamExt as _;
use std::path::PathBuf;

/// The result of the checks.
#[derive(Debug, Default)]
pub struct Found {
    /// The number of checks that ran. Those whose derived tables are missing did not.
    pub run: u64,
    /// One failure for each check that returned rows, and for each table that cannot be read.
    pub contradictions: Vec<Failure>,
}

/// Runs all checks.
pub async fn run(session: &Session) -> Result<Found, Failure> {
    let mut found = Found::default();
    for check in queries::all(queries::QueryKind::Check)? {
        if !has_its_tables(session, &check)? {
            continue;
        }
        let path = PathBuf::from(format!("queries/checks/{}.sql", check.name));
        let cannot = |error: DataFusionError| engine_failure("check cannot be run", &path, &error);
        let statement = check.statement(&[], &ParameterValues::new())?;
        let frame = match session.answer(statement.into()).await {
            Ok(frame) => frame,
            // For example, a derived table is out of date. An earlier check may already have reported it.
            Err(error) => match failure_in(&error) {
                Some(failure) if found.contradictions.contains(failure) => continue,
                Some(failure) => {
                    found.contradictions.push(failure.clone());
                    continue;
                }
                None => return Err(cannot(error)),
            },
        };
        let mut stream = frame.execute_stream().await.map_err(cannot)?;
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

/// Whether the derived tables that a check reads exist. A missing table contradicts nothing.
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
