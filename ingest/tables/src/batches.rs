//! Writes a table from record batches.

use crate::declare::{Table, check_words};
use crate::storage;
use arrow_array::{Array as _, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use std::io::{self, Write};

/// A Parquet file that is being written from batches. Its pages of text may end elsewhere if its batches do, and so may
/// its row groups if the texts are long.
#[derive(Debug)]
pub struct BatchFile<W: Write + Send> {
    table: Table,
    writer: ArrowWriter<W>,
    rows: u64,
    /// How many bytes the rows of the current row group take.
    bytes: usize,
}

impl<W: Write + Send> BatchFile<W> {
    /// A file without rows.
    pub fn new(table: Table, sink: W) -> Result<Self, ParquetError> {
        // Any reader of Parquet shows these texts. In an Arrow schema, only readers with Arrow would see them, and footers
        // would be 1.8 times as large. All readers see the types of Parquet.
        let descriptions = table.descriptions().map(|(key, text)| KeyValue::new(key, text)).collect();
        let properties = storage::properties(&table.columns)?.set_key_value_metadata(Some(descriptions)).build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(sink, table.schema(), options)?;
        Ok(BatchFile { table, writer, rows: 0, bytes: 0 })
    }

    /// Adds rows. Their columns must be those of the table, in order. A column may be nullable where that of the table
    /// is not, if it has no null.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let rows = RecordBatch::try_new(self.table.schema(), batch.columns().to_vec())?;
        check_words(&self.table, &rows)?;
        self.rows += rows.num_rows() as u64;
        let before = self.writer.in_progress_rows();
        self.writer.write(&rows)?;
        // If a row group has ended within the batch, the batch belongs to the next.
        let is_same_group = self.writer.in_progress_rows() == before + rows.num_rows();
        self.bytes = bytes_of(&rows)? + if is_same_group { self.bytes } else { 0 };
        if self.bytes >= storage::ROW_GROUP_BYTES {
            self.writer.flush()?;
            self.bytes = 0;
        }
        Ok(())
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

/// How many bytes the values of some rows take, however much memory is reserved for them.
fn bytes_of(rows: &RecordBatch) -> Result<usize, ParquetError> {
    let mut bytes = 0;
    for column in rows.columns() {
        bytes += column.to_data().get_slice_memory_size()?;
    }
    Ok(bytes)
}

/// Why Parquet could not be written: the I/O error, if that is the cause.
#[must_use]
pub fn write_cause(error: &ParquetError) -> String {
    match error {
        ParquetError::External(source) => match source.downcast_ref::<io::Error>() {
            Some(error) => error.to_string(),
            None => source.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::Rows as _;
    use crate::records;
    use crate::rows::RowWriter;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use std::iter::repeat_n;

    /// The rows of each row group of a file of records with values of a length.
    fn rows_of_groups(values: &[usize]) -> Vec<i64> {
        let mut rows = RowWriter::<records::Batch, Vec<RecordBatch>>::default();
        for (length, line_no) in values.iter().zip(1..) {
            let value = "v".repeat(*length);
            let row = records::Row { body_id: 0, line_no, group_no: None, key: "k", record: None, value: &value };
            rows.push(row).unwrap();
        }
        rows.flush().unwrap();
        let mut file = BatchFile::new(records::Batch::table(), Vec::new()).unwrap();
        rows.sink().iter().for_each(|batch| file.write(batch).unwrap());
        file.finish().unwrap();
        let read = SerializedFileReader::new(bytes::Bytes::from(file.sink().clone())).unwrap();
        read.metadata().row_groups().iter().map(|group| group.num_rows()).collect()
    }

    #[test]
    fn row_groups_end_after_a_number_of_rows_or_bytes() {
        assert_eq!(rows_of_groups(&[10; 300_000]), [262_144, 37_856]);
        // Twice 64 MiB, and a rest. A batch has 1 MiB.
        let groups = rows_of_groups(&[1 << 20; 130]);
        assert_eq!(groups.iter().sum::<i64>(), 130);
        assert_eq!(groups, [64, 64, 2]);
        // The long texts before the end of a row group do not shorten the next one.
        let values: Vec<usize> = repeat_n(1 << 20, 60).chain(repeat_n(10, 600_000)).collect();
        assert_eq!(rows_of_groups(&values)[1], 262_144);
    }
}
