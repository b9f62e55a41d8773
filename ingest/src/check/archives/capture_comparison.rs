//! Compares the records of an archive with their rows in `captures`.

use super::rows::{CaptureRow, CaptureRows, RecordKey};
use crate::answer::Head;
use crate::archive::{Place, Record, RecordType};
use crate::capture::{Capture, CaptureChoice, Takes};
use crate::check::damage::{CheckError, DamageGroup};
use crate::number::large;
use crate::reread::{Reread, SecondRecord, text};
use crate::site::redirect_target;
use folder::Failure;
use std::borrow::Cow;
use std::path::Path;
use tables::captures;

/// Compares the rows of a part with records, in the order of the records.
#[derive(Debug)]
pub(super) struct CaptureComparison<'f> {
    /// `None` if the rows are damaged.
    rows: Option<CaptureRows<'f>>,
    error: Option<CheckError>,
    /// The index of the archive in the part.
    input: usize,
    choice: CaptureChoice,
    without_capture: DamageGroup,
    without_record: DamageGroup,
    differing: DamageGroup,
}

/// The row that a record should have.
struct ExpectedRow<'d> {
    place: Place,
    record_type: &'d str,
    url: Cow<'d, str>,
    status: Option<u16>,
}

impl<'f> CaptureComparison<'f> {
    pub(super) fn new(rows: Option<CaptureRows<'f>>) -> Self {
        let (without_capture, without_record, differing) = Default::default();
        CaptureComparison {
            rows,
            error: None,
            input: 0,
            choice: CaptureChoice::new(Takes::RobotsTxt),
            without_capture,
            without_record,
            differing,
        }
    }

    /// Starts an archive, and skips the rows of the archives before it.
    pub(super) fn start(&mut self, input: usize, takes: Takes) {
        (self.input, self.choice) = (input, CaptureChoice::new(takes));
        let passed = self.skip_rows(RecordKey { input, offset: i64::MIN });
        self.keep_or_stop(passed);
        self.clear();
    }

    /// Compares a record with its row, if it should have one. Records that the second reader cannot read come from the
    /// first.
    pub(super) fn take(&mut self, reread: Reread<'_>) {
        let taken = match reread {
            Reread::Record(record) => {
                let expected = second(&record, &mut self.choice);
                self.compare(expected)
            }
            Reread::First(record, place, _) => {
                let expected = first(record, place, &mut self.choice);
                self.compare(expected)
            }
        };
        self.keep_or_stop(taken);
    }

    /// Ends an archive, and adds what was found to `damages`.
    pub(super) fn end(&mut self, path: &Path, damages: &mut Vec<Failure>) {
        let passed = self.skip_rows(RecordKey { input: self.input + 1, offset: i64::MIN });
        self.keep_or_stop(passed);
        std::mem::take(&mut self.differing).report("capture differs", path, damages);
        std::mem::take(&mut self.without_capture).report("record has no capture", path, damages);
        std::mem::take(&mut self.without_record).report("capture has no record", path, damages);
    }

    /// Why the rows were not read to their end, if so.
    pub(super) fn error(self) -> Option<CheckError> {
        self.error
    }

    /// Stops comparing rows after an error; the readers are still compared. Drops the findings for this archive: if
    /// rows are out of order, every record would seem to lack its row.
    fn keep_or_stop(&mut self, done: Result<(), CheckError>) {
        if let Err(error) = done {
            (self.rows, self.error) = (None, Some(error));
            self.clear();
        }
    }

    fn clear(&mut self) {
        (self.without_capture, self.without_record, self.differing) = Default::default();
    }

    /// Skips the rows before a key, and counts them as rows without a record.
    fn skip_rows(&mut self, up_to: RecordKey) -> Result<(), CheckError> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        while let Some(key) = rows.key().filter(|key| *key < up_to) {
            if let Some(CaptureRow { number, url, .. }) = rows.row() {
                let offset = u64::try_from(key.offset).unwrap_or_default();
                self.without_record.add_at(offset, || format!("row {number} has {}", text(Some(url.as_bytes()))));
            }
            rows.advance()?;
        }
        Ok(())
    }

    fn compare(&mut self, expected: Option<ExpectedRow<'_>>) -> Result<(), CheckError> {
        let Some(expected) = expected else { return Ok(()) };
        let key = RecordKey { input: self.input, offset: large(expected.place.offset) };
        self.skip_rows(key)?;
        let Some(rows) = &mut self.rows else { return Ok(()) };
        match rows.row().filter(|_| rows.key() == Some(key)) {
            Some(row) => {
                if let Some(difference) = row_difference(row, &expected) {
                    self.differing.add_at(expected.place.offset, || format!("row {}: {difference}", row.number));
                }
                rows.advance()
            }
            None => {
                let described = || format!("{} of {}", expected.record_type, text(Some(expected.url.as_bytes())));
                self.without_capture.add_at(expected.place.offset, described);
                Ok(())
            }
        }
    }
}

/// The row that a record of the second reader should have.
fn second<'r>(record: &SecondRecord<'r>, choice: &mut CaptureChoice) -> Option<ExpectedRow<'r>> {
    let SecondRecord { place, record_type, target, block, status } = *record;
    let named = RecordType::named(record_type.as_bytes());
    let target = choice.choose(named, target).ok()?;
    let head = Capture::has_head(named, block).then(|| Head::read(block).0);
    remember_redirect(choice, &target.url, head.as_ref());
    Some(ExpectedRow { place, record_type, url: target.url, status })
}

/// The row that a record should have that only the first reader could read.
fn first<'r>(record: &Record<'r>, place: Place, choice: &mut CaptureChoice) -> Option<ExpectedRow<'r>> {
    let target = choice.choose(record.record_type, record.target_uri).ok()?;
    let head = Capture::has_head(record.record_type, record.block).then(|| Head::read(record.block).0);
    remember_redirect(choice, &target.url, head.as_ref());
    let status = head.and_then(|head| head.status);
    Some(ExpectedRow { place, record_type: record.record_type.name(), url: target.url, status })
}

/// Whether later records are captures depends on the redirects before them.
fn remember_redirect(choice: &mut CaptureChoice, url: &str, head: Option<&Head<'_>>) {
    if let Some(location) = Capture::location(Capture::access_result(head), head)
        && let Ok(redirect) = redirect_target(url, &location)
    {
        choice.redirected(&redirect);
    }
}

/// How a row differs from its record, if it does.
fn row_difference(row: CaptureRow<'_>, expected: &ExpectedRow<'_>) -> Option<String> {
    let names = captures::NAMES;
    let (status, length) = (expected.status.map(i32::from), large(expected.place.length));
    let quoted = |value: &str| text(Some(value.as_bytes()));
    let or_null = |number: Option<i32>| number.map_or("null".to_owned(), |number| number.to_string());
    let texts = [(names.url, row.url, &*expected.url), (names.warc_record_type, row.record_type, expected.record_type)];
    let texts = texts.into_iter().filter(|(_, row, record)| row != record);
    let texts = texts.map(|(column, row, record)| (column, quoted(row), quoted(record)));
    let statuses = (row.status != status).then(|| (names.fetch_status, or_null(row.status), or_null(status)));
    let lengths =
        (row.length != length).then(|| (names.warc_record_length, row.length.to_string(), length.to_string()));
    let differing: Vec<String> = (texts.chain(statuses).chain(lengths))
        .map(|(column, row, record)| format!("{column} is {row}, but {record} in the archive"))
        .collect();
    (!differing.is_empty()).then(|| differing.join("; "))
}
