//! Reads the rows of a file, batch by batch.

use super::damage::CheckError;
use super::file::CheckedFile;
use crate::panics::catch_panic;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::error::Error;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::vec;

/// How many rows are in memory at a time, at most.
const BATCH_ROWS: usize = 8 << 10;

/// The batches of a file. None has rows of two row groups: those of long texts have few rows, which would otherwise be
/// in memory together.
#[derive(Debug)]
pub(super) struct RowBatches<'f> {
    file: &'f CheckedFile<'f>,
    columns: ProjectionMask,
    /// The row groups that come next.
    row_groups: Range<usize>,
    row_group: Option<ParquetRecordBatchReader>,
    rows: u64,
}

impl RowBatches<'_> {
    /// The next batch; `None` at the end. Fails at the end if the footer has another number of rows.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, CheckError> {
        if self.file.stop.load(Ordering::Relaxed) {
            return Err(CheckError::Stopped);
        }
        let batch = catch_panic(|| self.read()).map_err(|cause| unread(self.file, &cause))?;
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

    fn read(&mut self) -> Result<Option<RecordBatch>, Box<dyn Error>> {
        loop {
            if let Some(batch) = self.row_group.as_mut().and_then(Iterator::next) {
                return Ok(Some(batch?));
            }
            let Some(next) = self.row_groups.next() else { return Ok(None) };
            let (file, footer) = (self.file.file.try_clone()?, self.file.footer.clone());
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer);
            let builder = builder.with_row_groups(vec![next]).with_projection(self.columns.clone());
            self.row_group = Some(builder.with_batch_size(BATCH_ROWS).build()?);
        }
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
    pub(super) fn batches(&self, columns: &[&str]) -> RowBatches<'_> {
        let footer = self.footer.metadata();
        let columns = ProjectionMask::columns(footer.file_metadata().schema_descr(), columns.iter().copied());
        RowBatches { file: self, columns, row_groups: 0..footer.num_row_groups(), row_group: None, rows: 0 }
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
    pub(super) fn new(file: &'f CheckedFile<'f>, name: &'static str) -> Self {
        NumberColumn { batches: file.batches(&[name]), name, numbers: Vec::new().into_iter() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use std::fs::{self, File};
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;
    use tables::{BatchFile, RowWriter, Rows as _, records};

    /// With eight thousand of the largest texts, a batch would have more bytes than fit into it.
    #[test]
    fn a_batch_has_no_more_bytes_than_a_row_group() {
        let path = std::env::temp_dir().join(format!("robocensus-batches-{}", std::process::id()));
        let mut rows = RowWriter::<records::Batch, Vec<RecordBatch>>::default();
        let value = "v".repeat(1 << 20);
        for line_no in 1..=130 {
            let row = records::Row { body_id: 0, line_no, group_no: None, key: "k", record: None, value: &value };
            rows.push(row).unwrap();
        }
        rows.flush().unwrap();
        let mut written = BatchFile::new(records::Batch::table(), File::create(&path).unwrap()).unwrap();
        rows.sink().iter().for_each(|batch| written.write(batch).unwrap());
        written.finish().unwrap();
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let footer = ArrowReaderMetadata::load(&file, options).unwrap();
        let stop = AtomicBool::new(false);
        let file = CheckedFile { path: PathBuf::new(), rows: 130, file, footer, stop: &stop };
        let mut batches = file.batches(&[records::NAMES.value]);
        let mut sizes = Vec::new();
        while let Some(batch) = batches.next().unwrap() {
            sizes.push(batch.num_rows());
        }
        assert_eq!(sizes, [64, 64, 2]);
    }
}
