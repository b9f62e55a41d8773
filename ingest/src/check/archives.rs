//! Reads the archives of a part again, with the second reader, and compares it with the first reader and with
//! `captures`.
//!
//! Rows are in the order of their records. So both are read side by side, and neither is kept in memory.

mod capture_comparison;
mod rows;
mod sums;

use super::damage::{CheckError, DamageGroup};
use super::file::CheckedFile;
use super::job::CheckJob;
use super::records::place_hint;
use crate::archive::Workshop;
use crate::plan::{Part, Planned};
use crate::progress::Progress;
use crate::reread::{Comparison, CountAndFirst, Difference, compare};
use crate::source::WatchedFile;
use arrow_array::StringArray;
use capture_comparison::CaptureComparison;
use folder::{Failure, Stamp, ledger::LedgerEntry, regular};
use rows::CaptureRows;
use std::collections::HashMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering;
use tables::inputs;

pub use sums::{SecondReading, Unreadable};

/// The files of a part that were read to their end, with their indexes in the part. The tables have only some records
/// of other files.
pub(super) fn readable<'p>(
    part: &'p Part,
    entry: &'p LedgerEntry,
) -> impl Iterator<Item = (usize, &'p Planned, Stamp)> + use<'p> {
    let inputs = part.inputs.iter().zip(&entry.inputs).enumerate();
    inputs.filter_map(|(at, (planned, read))| Some((at, planned, planned.stamp.filter(|_| read.error.is_none())?)))
}

/// Reads the archives of a part, and compares them with its undamaged tables.
pub(super) fn check(
    (captures, inputs): (Option<&CheckedFile<'_>>, Option<&CheckedFile<'_>>),
    (part, entry): (&Part, &LedgerEntry),
    workshop: &mut Workshop,
    job: CheckJob<'_>,
    damages: &mut Vec<Failure>,
) -> Result<SecondReading, CheckError> {
    let digests = inputs.map(|file| digests(file, part)).transpose()?.unwrap_or_default();
    let mut comparison = CaptureComparison::new(captures.map(|file| CaptureRows::new(file, part)).transpose()?);
    let mut second = SecondReading::default();
    for planned in part.inputs.iter().filter(|planned| planned.path.file().is_none()) {
        // The folder may come from someone else, so its plan must not make this connect anywhere.
        let cause = "archives at URLs are not read again; ingest copies on disk to compare";
        damages.push(Failure::new("input is not compared", planned.path.shown(), cause));
    }
    for (at, planned, stamp) in readable(part, entry) {
        let Some(path) = planned.path.file() else { continue };
        let before = damages.len();
        let mut source = match open(path, stamp) {
            Ok(file) => WatchedFile::new(file, job.progress, job.stop),
            Err(failure) => {
                damages.push(failure);
                finish(job, stamp.bytes, true);
                continue;
            }
        };
        comparison.start(at, planned.takes());
        let compared = compare(&mut source, workshop, |reread| comparison.take(reread));
        if job.stop.load(Ordering::Relaxed) {
            return Err(CheckError::Stopped);
        }
        match compared {
            Err(error) => damages.push(Failure::new("input cannot be read", path, error)),
            Ok(readers) => {
                check_unchanged(path, stamp, &readers, &source, digests.get(&at), damages);
                if let Some(CountAndFirst { count, first }) = &readers.differences {
                    let Difference { place, field, ours, theirs } = first;
                    let first = format!("{}: ours {ours}, theirs {theirs}", field.name());
                    let group = DamageGroup { count: *count, first, offset: Some(place.offset) };
                    group.report("readers differ", path, damages);
                }
                comparison.end(path, damages);
                second.take(&readers, path);
            }
        }
        finish(job, stamp.bytes.saturating_sub(source.bytes()), damages.len() > before);
    }
    match comparison.error() {
        Some(CheckError::Stopped) => Err(CheckError::Stopped),
        Some(CheckError::Damaged(failure)) => {
            damages.push(failure);
            Ok(second)
        }
        None => Ok(second),
    }
}

/// Opens an input. Fails if it has changed since it was read.
fn open(path: &Path, stamp: Stamp) -> Result<File, Failure> {
    let cannot = Failure::at("input cannot be opened", path);
    let found = match path.metadata() {
        Ok(found) if found.is_file() => found,
        Ok(_) => return Err(Failure::new("input is missing", path, "the path is not a file")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let cause = format_args!("it was read from this path{}", place_hint(path));
            return Err(Failure::new("input is missing", path, cause));
        }
        Err(error) => return Err(cannot(error)),
    };
    let now = Stamp::read(&found);
    if now == stamp {
        return regular::open(path).map_err(cannot);
    }
    Err(Failure::new("input has changed", path, now.change_since(stamp, "read")))
}

/// Adds damage if the bytes of an input have changed since they were read.
fn check_unchanged(
    path: &Path,
    stamp: Stamp,
    comparison: &Comparison,
    source: &WatchedFile<'_, File>,
    digest: Option<&String>,
    damages: &mut Vec<Failure>,
) {
    let (bytes, found) = (comparison.account.bytes, source.digest());
    if bytes != stamp.bytes {
        let cause = format_args!("{bytes} bytes of it were read, but it has {}", stamp.bytes);
        damages.push(Failure::new("input has changed", path, cause));
    } else if let Some(digest) = digest.filter(|digest| **digest != found) {
        let cause = format_args!("its XXH3 is {found}, but {digest} in inputs");
        damages.push(Failure::new("input has changed", path, cause));
    }
}

/// The digests of the inputs of a part, by position, from the table `inputs`.
fn digests(file: &CheckedFile<'_>, part: &Part) -> Result<HashMap<usize, String>, CheckError> {
    let names = inputs::NAMES;
    let by_name = part.positions();
    let mut digests = HashMap::new();
    let mut batches = file.batches(&[names.warc_filename, names.digest]);
    while let Some(batch) = batches.next()? {
        let filenames: &StringArray = batches.column(&batch, names.warc_filename)?;
        let found: &StringArray = batches.column(&batch, names.digest)?;
        for (filename, digest) in filenames.iter().zip(found.iter()) {
            let at = filename.and_then(|filename| by_name.get(filename).copied());
            digests.extend(at.zip(digest.map(str::to_owned)));
        }
    }
    Ok(digests)
}

/// Counts an input as done, with its bytes that were not read.
fn finish(job: CheckJob<'_>, bytes_left: u64, is_damaged: bool) {
    Progress::add(&job.progress.bytes, bytes_left);
    Progress::add(&job.progress.inputs, 1);
    Progress::add(&job.progress.damaged_inputs, u64::from(is_damaged));
}
