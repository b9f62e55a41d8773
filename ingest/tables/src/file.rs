//! Writes a table from rows.

use crate::declare::{Rows, Table, check_words};
use crate::storage;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::errors::ParquetError;
use std::io::Write;

/// Rows are encoded once they take this many bytes of memory, few enough for the caches of a core.
const BATCH_BYTES: usize = 1 << 20;

/// A Parquet file that is being written. Its bytes depend on its rows only.
#[derive(Debug)]
pub struct File<B: Rows, W: Write + Send> {
    batch: B,
    writer: ArrowWriter<W>,
    rows: u64,
}

impl<B: Rows, W: Write + Send> File<B, W> {
    /// A file without rows.
    pub fn new(sink: W) -> Result<Self, ParquetError> {
        let table: Table = B::table();
        let options = ArrowWriterOptions::new().with_properties(storage::properties(table.layout())?);
        Ok(File {
            batch: B::default(),
            writer: ArrowWriter::try_new_with_options(sink, table.schema(), options)?,
            rows: 0,
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: B::Row<'_>) -> Result<(), ParquetError> {
        self.batch.push(row);
        if self.batch.bytes() < BATCH_BYTES {
            return Ok(());
        }
        self.encode()
    }

    /// The number of rows so far.
    pub fn rows(&self) -> u64 {
        self.rows + self.batch.rows() as u64
    }

    /// Ends the file, and returns its number of rows.
    pub fn finish(&mut self) -> Result<u64, ParquetError> {
        self.encode()?;
        self.writer.finish()?;
        Ok(self.rows)
    }

    /// The destination of the file.
    pub fn sink(&self) -> &W {
        self.writer.inner()
    }

    fn encode(&mut self) -> Result<(), ParquetError> {
        self.rows += self.batch.rows() as u64;
        let batch = self.batch.finish()?;
        if batch.num_rows() > 0 {
            check_words(&B::table(), &batch)?;
            self.writer.write(&batch)?;
        }
        Ok(())
    }
}
