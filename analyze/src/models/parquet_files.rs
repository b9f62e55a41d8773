//! Reads the files of a table one after the other.

use super::watch::{Halt, Watch};
use datafusion::arrow::array::{Array, ArrayAccessor, RecordBatch};
use folder::Failure;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The files of a table of a crawl, in the order of their parts.
pub(super) struct ParquetFiles(pub(super) Vec<PathBuf>);

/// Rows of a file.
pub(super) struct FileBatch<'f> {
    path: &'f Path,
    rows: RecordBatch,
}

impl ParquetFiles {
    /// Calls `then` for the rows of all files, with these columns.
    pub(super) fn each(
        &self,
        columns: &[&str],
        watch: &Watch<'_>,
        mut then: impl FnMut(&FileBatch<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        for path in &self.0 {
            let cannot = |error: &dyn std::fmt::Display| Failure::new("table cannot be read", path, error);
            let file = File::open(path).map_err(|error| cannot(&error))?;
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| cannot(&error))?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
            let batches = builder.with_projection(mask).build().map_err(|error| cannot(&error))?;
            for rows in batches {
                let rows = rows.map_err(|error| cannot(&error))?;
                watch.read(rows.num_rows())?;
                then(&FileBatch { path, rows })?;
            }
        }
        Ok(())
    }
}

impl FileBatch<'_> {
    /// The file.
    pub(super) fn path(&self) -> &Path {
        self.path
    }

    /// A column. Fails if the file has none of this name and type.
    pub(super) fn column<A: Array + 'static>(&self, name: &str) -> Result<&A, Failure> {
        let column =
            self.rows.column_by_name(name).ok_or_else(|| Failure::new("column is missing", self.path, name))?;
        let typed = column.as_any().downcast_ref();
        typed.ok_or_else(|| {
            Failure::new("column has changed", self.path, format_args!("{name} is {}", column.data_type()))
        })
    }
}

/// A value of a column; nothing where it is null.
pub(super) fn value<A: ArrayAccessor + Copy>(column: A, row: usize) -> Option<A::Item> {
    column.is_valid(row).then(|| column.value(row))
}
