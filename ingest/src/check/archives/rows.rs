//! Reads the rows of `captures` one by one, in the order of their records.

use crate::check::batches::RowBatches;
use crate::check::damage::CheckError;
use crate::check::file::CheckedFile;
use crate::plan::Part;
use arrow_array::{Array as _, Int32Array, Int64Array, StringArray};
use std::collections::HashMap;
use tables::captures;

/// The rows of a part, with a current row.
#[derive(Debug)]
pub(super) struct CaptureRows<'f> {
    file: &'f CheckedFile<'f>,
    part: &'f Part,
    batches: RowBatches<'f>,
    by_name: HashMap<&'f str, usize>,
    columns: Option<CaptureColumns>,
    /// The index of the current row in its columns; its number in the file, from one.
    at: usize,
    number: u64,
    key: Option<RecordKey>,
}

/// The place of the record of a row: the index of the input in the part, and the offset in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordKey {
    pub(super) input: usize,
    pub(super) offset: i64,
}

/// The facts that a row has about its record.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaptureRow<'r> {
    /// Its number in the file, from one.
    pub(super) number: u64,
    pub(super) url: &'r str,
    pub(super) status: Option<i32>,
    pub(super) record_type: &'r str,
    pub(super) length: i64,
}

#[derive(Debug)]
struct CaptureColumns {
    filenames: StringArray,
    offsets: Int64Array,
    urls: StringArray,
    statuses: Int32Array,
    types: StringArray,
    lengths: Int64Array,
}

const NAMES: captures::Names = captures::NAMES;

impl<'f> CaptureRows<'f> {
    /// The rows of a part; the first is the current one.
    pub(super) fn new(file: &'f CheckedFile<'f>, part: &'f Part) -> Result<Self, CheckError> {
        let texts = [NAMES.warc_filename, NAMES.url, NAMES.warc_record_type];
        let numbers = [NAMES.warc_record_offset, NAMES.fetch_status, NAMES.warc_record_length];
        let batches = file.batches(&[texts, numbers].concat());
        let by_name = part.positions();
        let mut rows = CaptureRows { file, part, batches, by_name, columns: None, at: 0, number: 0, key: None };
        rows.advance()?;
        Ok(rows)
    }

    /// The place of the record of the current row; `None` after the last row.
    pub(super) fn key(&self) -> Option<RecordKey> {
        self.key
    }

    /// The current row; `None` after the last.
    pub(super) fn row(&self) -> Option<CaptureRow<'_>> {
        let columns = self.columns.as_ref().filter(|columns| self.at < columns.offsets.len())?;
        Some(CaptureRow {
            number: self.number,
            url: columns.urls.value(self.at),
            status: columns.statuses.is_valid(self.at).then(|| columns.statuses.value(self.at)),
            record_type: columns.types.value(self.at),
            length: columns.lengths.value(self.at),
        })
    }

    /// Moves to the next row. Skips rows that belong to no input, since the check of captures reports them.
    pub(super) fn advance(&mut self) -> Result<(), CheckError> {
        loop {
            self.at += 1;
            while self.columns.as_ref().is_none_or(|columns| self.at >= columns.offsets.len()) {
                let Some(batch) = self.batches.next()? else {
                    self.key = None;
                    return Ok(());
                };
                self.columns = Some(CaptureColumns {
                    filenames: self.batches.column::<StringArray>(&batch, NAMES.warc_filename)?.clone(),
                    offsets: self.batches.column::<Int64Array>(&batch, NAMES.warc_record_offset)?.clone(),
                    urls: self.batches.column::<StringArray>(&batch, NAMES.url)?.clone(),
                    statuses: self.batches.column::<Int32Array>(&batch, NAMES.fetch_status)?.clone(),
                    types: self.batches.column::<StringArray>(&batch, NAMES.warc_record_type)?.clone(),
                    lengths: self.batches.column::<Int64Array>(&batch, NAMES.warc_record_length)?.clone(),
                });
                self.at = 0;
            }
            self.number += 1;
            let Some(columns) = &self.columns else { return Ok(()) };
            let (filename, offset) = (columns.filenames.value(self.at), columns.offsets.value(self.at));
            let Some(&input) = self.by_name.get(filename) else { continue };
            let key = RecordKey { input, offset };
            if let Some(before) = self.key.filter(|before| key < *before) {
                let name = self.part.inputs.get(before.input).map_or("", |input| &input.warc_filename);
                let before = format_args!("the one before it at offset {} of {name}", before.offset);
                let cause = format!("row {} is at offset {offset} of {filename}, but {before}", self.number);
                return Err(self.file.damage("rows are out of order", cause).into());
            }
            self.key = Some(key);
            return Ok(());
        }
    }
}
