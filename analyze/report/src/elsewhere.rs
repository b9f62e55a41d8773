//! Answers of another engine, such as Spark on a cluster: a list of the questions of a report, and a folder with a
//! Parquet file for each answer.

use crate::fingerprint::Fingerprint;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use folder::{Failure, regular};
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::Path;

/// The name of the list of questions in a folder of answers.
const LIST: &str = "questions.ndjson";

/// A question of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedQuestion {
    /// The id of the figure, which is also the name of the answer's file.
    pub id: &'static str,
    /// The arguments of `robocensus query` that ask the question.
    pub arguments: Vec<String>,
}

/// The first line of the list, which identifies the tables. Fails for tables without a ledger.
pub(crate) fn header(fingerprint: &Fingerprint, tables: &Path) -> Result<String, Failure> {
    match &fingerprint.digest {
        Some(digest) => Ok(format!("{{\"tables\":\"{digest}\"}}")),
        None => Err(Failure::new("questions cannot be listed", tables, "tables without a ledger cannot be identified")),
    }
}

/// Fails unless the answers in a folder are about these tables.
pub(crate) fn compare(answers: &Path, fingerprint: &Fingerprint, tables: &Path) -> Result<(), Failure> {
    let path = answers.join(LIST);
    let list = std::fs::read_to_string(&path).map_err(Failure::at("answers cannot be read", &path))?;
    let first = list.lines().next().unwrap_or_default();
    if first == header(fingerprint, tables)? {
        return Ok(());
    }
    let cause = format_args!("they are about other tables than {}, or these have changed since", tables.display());
    Err(Failure::new("answers are not used", answers, cause))
}

/// The answer to the question of a figure; `None` if the folder does not have it. Its columns are cast to the types of
/// the question here, because other engines have fewer types.
pub(crate) fn read(answers: &Path, id: &str, schema: &SchemaRef) -> Result<Option<Vec<RecordBatch>>, Failure> {
    let path = answers.join(format!("{id}.parquet"));
    let cannot = |cause: &dyn Display| Failure::new("answer cannot be read", &path, cause);
    let file = match regular::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| cannot(&error))?,
    };
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut batches = Vec::new();
    for batch in reader.map_err(|error| cannot(&error))? {
        let batch = batch.map_err(|error| cannot(&error))?;
        let found = batch.schema();
        let names = |schema: &SchemaRef| schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
        if names(&found) != names(schema) {
            let cause = format!("its columns are {}, and not {}", names(&found).join(", "), names(schema).join(", "));
            return Err(cannot(&cause));
        }
        let columns =
            batch.columns().iter().zip(schema.fields()).map(|(column, field)| cast(column, field.data_type()));
        let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| cannot(&error))?;
        batches.push(RecordBatch::try_new(SchemaRef::clone(schema), columns).map_err(|error| cannot(&error))?);
    }
    Ok(Some(batches))
}
