//! Writes a table from record batches.

use crate::declare::{Table, check_words};
use crate::storage;
use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use std::io::Write;

/// A Parquet file that is being written from batches. Its pages of text may end elsewhere if its batches do.
#[derive(Debug)]
pub struct BatchFile<W: Write + Send> {
    table: Table,
    writer: ArrowWriter<W>,
    rows: u64,
}

impl<W: Write + Send> BatchFile<W> {
    /// A file without rows.
    pub fn new(table: Table, sink: W) -> Result<Self, ParquetError> {
        // Any reader of Parquet shows these texts. In an Arrow schema, only readers with Arrow would see them, and footers
        // would be 1.8 times as large. All readers see the types of Parquet.
        let descriptions = table.descriptions().map(|(key, text)| KeyValue::new(key, text)).collect();
        let properties = storage::properties(table.layout())?.set_key_value_metadata(Some(descriptions)).build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(sink, table.schema(), options)?;
        Ok(BatchFile { table, writer, rows: 0 })
    }

    /// Adds rows. Their columns must be those of the table, in order. A column may be nullable where that of the table
    /// is not, if it has no null.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let rows = RecordBatch::try_new(self.table.schema(), batch.columns().to_vec())?;
        check_words(&self.table, &rows)?;
        self.rows += rows.num_rows() as u64;
        self.writer.write(&rows)
    }

    /// How many bytes of memory hold rows that are not written yet.
    pub fn memory(&self) -> usize {
        self.writer.memory_size()
    }

    /// Finishes the file, and returns its number of rows.
    pub fn finish(&mut self) -> Result<u64, ParquetError> {
        self.writer.finish()?;
        Ok(self.rows)
    }

    /// The destination of the file.
    pub fn sink(&self) -> &W {
        self.writer.inner()
    }
}
