//! Compares the records of an archive with their rows in `captures`.

use super::rows::{CaptureRow, CaptureRows, RecordKey};
use crate::answer::Head;
use crate::archive::{Place, Record, RecordType};
use crate::capture::{Takes, skip_of};
use crate::check::damage::{Broken, Several};
use crate::reread::{Reread, SecondRecord, text};
use folder::Failure;
use std::borrow::Cow;
use std::path::Path;
use tables::captures;

/// The rows of a part, which are compared with records as these come.
#[derive(Debug)]
pub(super) struct Beside<'f> {
    /// None where the rows are damaged.
    rows: Option<CaptureRows<'f>>,
    broken: Option<Broken>,
    /// The index of the archive in the part.
    input: usize,
    takes: Takes,
    bare: Several,
    unmet: Several,
    differing: Several,
}

/// A record that should have a row.
struct Due<'d> {
    place: Place,
    record_type: &'d str,
    url: Cow<'d, str>,
    status: Option<u16>,
}

impl<'f> Beside<'f> {
    pub(super) fn new(rows: Option<CaptureRows<'f>>) -> Self {
        let (bare, unmet, differing) = Default::default();
        Beside { rows, broken: None, input: 0, takes: Takes::RobotsTxt, bare, unmet, differing }
    }

    /// Starts an archive, and skips the rows of the archives before it.
    pub(super) fn begin(&mut self, input: usize, takes: Takes) {
        (self.input, self.takes) = (input, takes);
        let passed = self.pass(RecordKey { input, offset: i64::MIN });
        self.believe(passed);
        self.forget();
    }

    /// Compares a record with its row, if it should have one. Records that the second reader cannot read come from the first.
    pub(super) fn take(&mut self, reread: Reread<'_>) {
        let taken = match reread {
            Reread::Record(record) => self.due(second(&record, self.takes)),
            Reread::First(record, place, _) => self.due(first(record, place, self.takes)),
        };
        self.believe(taken);
    }

    /// Ends an archive, and adds what was found to `damages`.
    pub(super) fn end(&mut self, path: &Path, damages: &mut Vec<Failure>) {
        let passed = self.pass(RecordKey { input: self.input + 1, offset: i64::MIN });
        self.believe(passed);
        std::mem::take(&mut self.differing).tell("capture differs", path, damages);
        std::mem::take(&mut self.bare).tell("record has no capture", path, damages);
        std::mem::take(&mut self.unmet).tell("capture has no record", path, damages);
    }

    /// Why the rows were not read to their end; none where they were.
    pub(super) fn broken(self) -> Option<Broken> {
        self.broken
    }

    /// Stops comparing rows where they cannot be read; the readers are still compared. What was found of this archive is
    /// dropped: where one row stands in another's place, every record would seem to lack its row.
    fn believe(&mut self, done: Result<(), Broken>) {
        if let Err(broken) = done {
            (self.rows, self.broken) = (None, Some(broken));
            self.forget();
        }
    }

    fn forget(&mut self) {
        (self.bare, self.unmet, self.differing) = Default::default();
    }

    /// Skips the rows before a place. They have no record.
    fn pass(&mut self, up_to: RecordKey) -> Result<(), Broken> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        while let Some(key) = rows.key().filter(|key| *key < up_to) {
            if let Some(CaptureRow { number, url, .. }) = rows.row() {
                let offset = u64::try_from(key.offset).unwrap_or_default();
                self.unmet.add_at(offset, || format!("row {number} is of {}", text(Some(url.as_bytes()))));
            }
            rows.advance()?;
        }
        Ok(())
    }

    fn due(&mut self, due: Option<Due<'_>>) -> Result<(), Broken> {
        let Some(due) = due else { return Ok(()) };
        let key = RecordKey { input: self.input, offset: large(due.place.offset) };
        self.pass(key)?;
        let Some(rows) = &mut self.rows else { return Ok(()) };
        match rows.row().filter(|_| rows.key() == Some(key)) {
            Some(row) => {
                if let Some(difference) = difference(row, &due) {
                    self.differing.add_at(due.place.offset, || format!("row {}: {difference}", row.number));
                }
                rows.advance()
            }
            None => {
                let described = || format!("{} of {}", due.record_type, text(Some(due.url.as_bytes())));
                self.bare.add_at(due.place.offset, described);
                Ok(())
            }
        }
    }
}

/// The row that a record of the second reader should have.
fn second<'r>(record: &SecondRecord<'r>, takes: Takes) -> Option<Due<'r>> {
    let SecondRecord { place, record_type, target, status, .. } = *record;
    let target = skip_of(RecordType::named(record_type.as_bytes()), target, takes).ok()?;
    Some(Due { place, record_type, url: target.url, status })
}

/// The row that a record should have that only the first reader could read.
fn first<'r>(record: &Record<'r>, place: Place, takes: Takes) -> Option<Due<'r>> {
    let target = skip_of(record.record_type, record.target_uri, takes).ok()?;
    let status = match record.record_type {
        RecordType::Resource => None,
        _ => Head::read(record.block).0.status,
    };
    Some(Due { place, record_type: record.record_type.name(), url: target.url, status })
}

/// How a row differs from its record; none where it does not.
fn difference(row: CaptureRow<'_>, due: &Due<'_>) -> Option<String> {
    let names = captures::NAMES;
    let (status, length) = (due.status.map(i32::from), large(due.place.length));
    let quoted = |value: &str| text(Some(value.as_bytes()));
    let or_null = |number: Option<i32>| number.map_or("null".to_owned(), |number| number.to_string());
    let texts = [(names.url, row.url, &*due.url), (names.warc_record_type, row.record_type, due.record_type)];
    let texts = texts.into_iter().filter(|(_, row, record)| row != record);
    let texts = texts.map(|(column, row, record)| (column, quoted(row), quoted(record)));
    let statuses = (row.status != status).then(|| (names.fetch_status, or_null(row.status), or_null(status)));
    let lengths =
        (row.length != length).then(|| (names.warc_record_length, row.length.to_string(), length.to_string()));
    let told: Vec<String> = (texts.chain(statuses).chain(lengths))
        .map(|(column, row, record)| format!("{column} is {row}, and {record} in the archive"))
        .collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Offsets and lengths of files are below 2^63.
fn large(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
