//! Answers of another engine, such as Spark on a cluster: a list of the questions of a report, and a folder with a
//! Parquet file for each answer.

use crate::fingerprint::Fingerprint;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use folder::{Failure, regular};
use std::fmt::Display;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

/// The name of the list of questions in a folder of answers.
const LIST: &str = "questions.ndjson";

/// The longest first line of the list.
const MOST_HEADER_BYTES: u64 = 4 << 10;

/// The most rows of an answer: for 100 crawls and 100 agents, twice as many as a question returns. The folder may come
/// from somebody else, and a file of a few bytes can claim any number of equal rows.
const MOST_ROWS: i64 = 20_000;

/// The most bytes of an answer in memory.
const MOST_BYTES: usize = 256 << 20;

/// How many rows are read at a time.
const BATCH_ROWS: usize = 256;

/// A question of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedQuestion {
    /// The id of the figure, which is also the name of the answer's file.
    pub id: &'static str,
    /// The arguments of `robocensus query` that ask the question.
    pub arguments: Vec<String>,
    /// The statements that answer it in the wanted engine; `None` if they need a function that only robocensus has.
    pub sql: Option<String>,
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
    let list = regular::open_below(&path).map_err(Failure::at("answers cannot be read", &path))?;
    let mut first = String::new();
    let read = BufReader::new(list.take(MOST_HEADER_BYTES)).read_line(&mut first);
    read.map_err(Failure::at("answers cannot be read", &path))?;
    if first.trim_end() == header(fingerprint, tables)? {
        return Ok(());
    }
    if !(first.starts_with("{\"tables\":\"") && first.trim_end().ends_with("\"}")) {
        let cause = "it does not start with the line that report --list-questions prints first";
        return Err(Failure::new("answers cannot be read", &path, cause));
    }
    let cause = format_args!("they are about other tables than {}, or these have changed since", tables.display());
    Err(Failure::new("answers are not used", answers, cause))
}

/// The answer to the question of a figure; `None` if the folder does not have it. Its columns are cast to the types of
/// the question here, because other engines have fewer types.
pub(crate) fn read(answers: &Path, id: &str, schema: &SchemaRef) -> Result<Option<Vec<RecordBatch>>, Failure> {
    let path = answers.join(format!("{id}.parquet"));
    let cannot = |cause: &dyn Display| Failure::new("answer cannot be read", &path, cause);
    let file = match regular::open_below(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| cannot(&error))?,
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| cannot(&error))?;
    let rows = builder.metadata().file_metadata().num_rows();
    if !(0..=MOST_ROWS).contains(&rows) {
        return Err(cannot(&format_args!("it has {rows} rows; the limit is {MOST_ROWS}")));
    }
    let reader = builder.with_batch_size(BATCH_ROWS).build();
    let mut batches = Vec::new();
    let (mut found_rows, mut bytes) = (0, 0);
    for batch in reader.map_err(|error| cannot(&error))? {
        let batch = batch.map_err(|error| cannot(&error))?;
        found_rows += batch.num_rows() as i64;
        bytes += batch.get_array_memory_size();
        if found_rows > MOST_ROWS || bytes > MOST_BYTES {
            let mib = MOST_BYTES >> 20;
            return Err(cannot(&format_args!("it has more than {MOST_ROWS} rows or {mib} MiB")));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Float64Array};
    use datafusion::parquet::arrow::ArrowWriter;
    use std::collections::BTreeSet;
    use std::fs::{self, File};
    use std::path::PathBuf;
    use std::sync::Arc;

    fn write(path: &Path, rows: usize) -> SchemaRef {
        let column: ArrayRef = Arc::new(Float64Array::from(vec![0.5; rows]));
        let batch = RecordBatch::try_from_iter([("share", column)]).unwrap();
        let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        batch.schema()
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("robocensus-answers-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn answers_of_too_many_rows_are_refused() {
        let folder = folder("rows");
        let schema = write(&folder.join("a.parquet"), 20_000);
        let rows = |id: &str| read(&folder, id, &schema).map(|found| found.map(|batches| batches.len()));
        assert_eq!(rows("a").unwrap(), Some(20_000_usize.div_ceil(BATCH_ROWS)));
        assert_eq!(rows("missing").unwrap(), None);
        write(&folder.join("b.parquet"), 20_001);
        let refused = rows("b").unwrap_err().to_string();
        assert!(refused.ends_with("it has 20001 rows; the limit is 20000"), "{refused}");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A pipe would make the report wait, and a link could lead anywhere.
    #[cfg(unix)]
    #[test]
    fn pipes_and_links_are_refused() {
        let folder = folder("pipes");
        let schema = write(&folder.join("a.parquet"), 1);
        std::os::unix::fs::symlink("a.parquet", folder.join("link.parquet")).unwrap();
        let fingerprint = Fingerprint { digest: Some(String::new()), files: 0, made_by: BTreeSet::new() };
        for pipe in ["pipe.parquet", LIST] {
            let made = std::process::Command::new("mkfifo").arg(folder.join(pipe)).status().unwrap();
            assert!(made.success());
        }
        for refused in [
            read(&folder, "pipe", &schema).unwrap_err(),
            read(&folder, "link", &schema).unwrap_err(),
            compare(&folder, &fingerprint, Path::new("tables")).unwrap_err(),
        ] {
            assert!(refused.to_string().ends_with(", not a file"), "{refused}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
