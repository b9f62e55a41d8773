//! Reads the files of a table in order.

use super::watch::{Halt, Watch};
use crate::engine::table_reader::TableReader;
use datafusion::arrow::array::{Array, ArrayAccessor, RecordBatch};
use folder::Failure;
use folder::verified::KnownFile;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a table for one crawl, in the order of their parts.
pub(super) struct ParquetFiles(pub(super) Vec<(PathBuf, Arc<KnownFile>)>);

/// A batch of rows of a file.
pub(super) struct FileBatch<'f> {
    path: &'f Path,
    rows: RecordBatch,
}

impl ParquetFiles {
    /// Calls `then` for each batch of all files, with these columns.
    pub(super) fn each(
        &self,
        columns: &[&str],
        watch: &Watch<'_>,
        mut then: impl FnMut(&FileBatch<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        for (path, known) in &self.0 {
            let file = TableReader::open(path, Some(Arc::clone(known)))?;
            let builder =
                ParquetRecordBatchReaderBuilder::try_new(file.clone()).map_err(|error| file.failure(&error))?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
            let batches = builder.with_projection(mask).build().map_err(|error| file.failure(&error))?;
            for rows in batches {
                let rows = rows.map_err(|error| file.failure(&error))?;
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

/// A value of a column; `None` for null.
pub(super) fn value<A: ArrayAccessor + Copy>(column: A, row: usize) -> Option<A::Item> {
    column.is_valid(row).then(|| column.value(row))
}
