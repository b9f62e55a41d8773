//! A file of a table that is made from batches, as a query answers with them.

use crate::declare::{Table, check_words};
use crate::storage;
use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::errors::ParquetError;
use std::io::Write;

/// A file in the making. Its bytes are a function of its rows, wherever the batches are cut.
#[derive(Debug)]
pub struct Batches<W: Write + Send> {
    table: Table,
    writer: ArrowWriter<W>,
    rows: u64,
}

impl<W: Write + Send> Batches<W> {
    /// A file without rows.
    pub fn new(table: Table, sink: W) -> Result<Self, ParquetError> {
        let options = ArrowWriterOptions::new().with_properties(storage::properties(&table)?);
        let writer = ArrowWriter::try_new_with_options(sink, table.schema(), options)?;
        Ok(Batches { table, writer, rows: 0 })
    }

    /// Adds rows, whose columns are to be those of the table, in their order. That a column is called nullable where the
    /// table's is not does no harm as long as there is no null in it.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let rows = RecordBatch::try_new(self.table.schema(), batch.columns().to_vec())?;
        check_words(&self.table, &rows)?;
        self.rows += rows.num_rows() as u64;
        self.writer.write(&rows)
    }

    /// Ends the file, and says how many rows it has.
    pub fn finish(&mut self) -> Result<u64, ParquetError> {
        self.writer.finish()?;
        Ok(self.rows)
    }

    /// What the file is written to.
    pub fn sink(&self) -> &W {
        self.writer.inner()
    }
}
