//! Reads the files of a table, several at the same time, in the order of their parts.

use super::in_order::in_order;
use super::watch::{Halt, Watch};
use crate::engine::table_reader::TableReader;
use datafusion::arrow::array::{Array, ArrayAccessor, RecordBatch};
use folder::Failure;
use folder::verified::KnownFile;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a table for one crawl.
pub(super) struct ParquetFiles {
    /// In the order of their parts.
    pub(super) files: Vec<(PathBuf, Arc<KnownFile>)>,
    /// How many rows they have.
    pub(super) rows: u64,
    /// How many are read at the same time.
    pub(super) jobs: NonZeroUsize,
}

/// A batch of rows of a file.
pub(super) struct FileBatch<'f> {
    path: &'f Path,
    rows: RecordBatch,
}

impl ParquetFiles {
    /// Reads these columns of all files. `read` adds a batch of a file to what was found in that file, and `take` takes
    /// what was found in a whole file. Files are taken in order.
    pub(super) fn each<T: Default + Send>(
        &self,
        columns: &[&str],
        watch: &Watch<'_>,
        read: impl Fn(&mut T, &FileBatch<'_>) -> Result<(), Halt> + Sync,
        take: impl FnMut(T) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let read_file = |(path, known): &(PathBuf, Arc<KnownFile>)| {
            let file = TableReader::open(path, Some(Arc::clone(known)))?;
            let builder =
                ParquetRecordBatchReaderBuilder::try_new(file.clone()).map_err(|error| file.failure(&error))?;
            let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
            let batches = builder.with_projection(mask).build().map_err(|error| file.failure(&error))?;
            let mut found = T::default();
            for rows in batches {
                let rows = rows.map_err(|error| file.failure(&error))?;
                watch.read(rows.num_rows())?;
                read(&mut found, &FileBatch { path, rows })?;
            }
            Ok(found)
        };
        in_order(&self.files, self.jobs, read_file, take)
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
