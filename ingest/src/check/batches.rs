//! Reads the rows of a file, batch by batch.

use super::damage::CheckError;
use super::file::CheckedFile;
use super::panics::catch_panic;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::sync::atomic::Ordering;
use std::vec;

/// How many rows are in memory at a time.
const BATCH_ROWS: usize = 8 << 10;

/// The batches of a file.
#[derive(Debug)]
pub(super) struct RowBatches<'f> {
    file: &'f CheckedFile<'f>,
    reader: ParquetRecordBatchReader,
    rows: u64,
}

impl RowBatches<'_> {
    /// The next batch; `None` at the end. Fails at the end if the footer has another number of rows.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, CheckError> {
        if self.file.stop.load(Ordering::Relaxed) {
            return Err(CheckError::Stopped);
        }
        let batch = catch_panic(|| self.reader.next().transpose()).map_err(|cause| unread(self.file, &cause))?;
        match &batch {
            Some(batch) => self.rows += batch.num_rows() as u64,
            None if self.rows == self.file.rows => {}
            None => {
                let cause = format_args!("{} can be read, but its footer has {}", self.rows, self.file.rows);
                return Err(self.file.damage("file has another number of rows", cause).into());
            }
        }
        Ok(batch)
    }

    /// A column of a batch.
    pub(super) fn column<'b, A: Array + 'static>(
        &self,
        batch: &'b RecordBatch,
        name: &str,
    ) -> Result<&'b A, CheckError> {
        let column = batch.column_by_name(name).and_then(|column| column.as_any().downcast_ref::<A>());
        // The schema was compared before, so this should not happen.
        column.ok_or_else(|| unread(self.file, &format!("{name} is not as its schema says")))
    }

    /// A column of integers.
    pub(super) fn numbers(&self, batch: &RecordBatch, name: &str) -> Result<Vec<i64>, CheckError> {
        let column = batch.column_by_name(name);
        let large = column.and_then(|column| column.as_primitive_opt::<Int64Type>());
        let small = column.and_then(|column| column.as_primitive_opt::<Int32Type>());
        match (large, small) {
            (Some(large), _) => Ok(large.values().to_vec()),
            (None, Some(small)) => Ok(small.values().iter().copied().map(i64::from).collect()),
            (None, None) => Err(unread(self.file, &format!("{name} is not as its schema says"))),
        }
    }
}

impl CheckedFile<'_> {
    /// Its rows, with these columns.
    pub(super) fn batches(&self, columns: &[&str]) -> Result<RowBatches<'_>, CheckError> {
        let reader = catch_panic(|| {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.try_clone()?, self.footer.clone());
            let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
            builder.with_projection(mask).with_batch_size(BATCH_ROWS).build()
        });
        let reader = reader.map_err(|cause| unread(self, &cause))?;
        Ok(RowBatches { file: self, reader, rows: 0 })
    }
}

fn unread(file: &CheckedFile<'_>, cause: &str) -> CheckError {
    file.damage("rows cannot be read", cause).into()
}

/// A column of integers, row by row.
#[derive(Debug)]
pub(super) struct NumberColumn<'f> {
    batches: RowBatches<'f>,
    name: &'static str,
    numbers: vec::IntoIter<i64>,
}

impl<'f> NumberColumn<'f> {
    pub(super) fn new(file: &'f CheckedFile<'f>, name: &'static str) -> Result<Self, CheckError> {
        Ok(NumberColumn { batches: file.batches(&[name])?, name, numbers: Vec::new().into_iter() })
    }

    pub(super) fn next(&mut self) -> Result<Option<i64>, CheckError> {
        loop {
            if let Some(number) = self.numbers.next() {
                return Ok(Some(number));
            }
            let Some(batch) = self.batches.next()? else { return Ok(None) };
            self.numbers = self.batches.numbers(&batch, self.name)?.into_iter();
        }
    }
}
