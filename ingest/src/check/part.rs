//! Checks a part: first each of its files, then whether they agree.

use super::archives::{self, SecondReading};
use super::damage::CheckError;
use super::file::{CheckedFile, FileRecord};
use super::job::CheckJob;
use super::options::Archives;
use super::{account, captures, keys};
use crate::archive::Workshop;
use crate::plan::Part;
use crate::progress::Progress;
use folder::{Failure, ledger::LedgerEntry};
use std::sync::atomic::Ordering;
use tables::{bodies, inputs, skips};

/// The result for a part.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) damages: Vec<Failure>,
    /// Files that agree with the ledger, and their bytes.
    pub(super) files: u64,
    pub(super) bytes: u64,
    /// Its captures.
    pub(super) captures: u64,
    pub(super) second: SecondReading,
}

/// Checks a part. `None` if the check is stopped.
pub(super) fn check(part: &Part, entry: &LedgerEntry, workshop: &mut Workshop, job: CheckJob<'_>) -> Option<Checked> {
    let mut checked = Checked::default();
    check_files(part, entry, workshop, job, &mut checked).ok().map(|()| checked)
}

/// The check was stopped.
struct Stopped;

/// Checks the files, and then conditions on several of them. A damaged file is not used further, so that its damage is
/// not reported ten times.
fn check_files(
    part: &Part,
    entry: &LedgerEntry,
    workshop: &mut Workshop,
    job: CheckJob<'_>,
    checked: &mut Checked,
) -> Result<(), Stopped> {
    let mut files = Vec::new();
    let record = FileRecord::Ledger { part, entry, folder: job.folder };
    for (table, written) in tables::tables().iter().zip(&entry.files) {
        if job.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let path = job.folder.file(table.name, &part.crawl, part.part);
        let file = undamaged(CheckedFile::open(table, path, (written, &record), job), checked)?;
        checked.files += u64::from(file.is_some());
        checked.bytes += if file.is_some() { written.bytes } else { 0 };
        Progress::add(&job.progress.inputs, 1);
        Progress::add(&job.progress.damaged_inputs, u64::from(file.is_none()));
        Progress::add(&job.progress.bytes, written.bytes);
        files.extend(file.map(|file| (table.name, file)));
    }
    let find = |name: &str| files.iter().find(|(table, _)| *table == name).map(|(_, file)| file);
    let [captures, bodies, skips, inputs] =
        [tables::captures::table(), bodies::table(), skips::table(), inputs::table()].map(|table| find(table.name));
    let base = tables::keys::first_id(part.part);
    let numbers = match bodies {
        Some(bodies) => undamaged(keys::numbers(bodies, base), checked)?,
        None => None,
    };
    let bodies = bodies.zip(numbers.as_ref());
    if let Some((bodies, numbers)) = bodies {
        for (table, count) in keys::children() {
            if let Some(file) = find(table.name) {
                let compared = keys::compare(file, count, bodies, numbers, &mut checked.damages);
                undamaged(compared, checked)?;
            }
        }
    }
    let counted = match captures {
        Some(captures) => {
            let counted = captures::check(captures, bodies, part, base, &mut checked.damages);
            let counted = undamaged(counted, checked)?;
            checked.captures = captures.rows;
            Progress::add(&job.progress.captures, captures.rows);
            counted
        }
        None => None,
    };
    if let Some(files) = inputs.zip(skips) {
        let ledger = job.folder.entry(part.part);
        let done = account::check(files, counted.as_ref(), (part, entry), &ledger, &mut checked.damages);
        undamaged(done, checked)?;
    }
    if job.options.archives == Archives::Reread {
        let tables = (captures, inputs);
        let done = archives::check(tables, (part, entry), workshop, job, &mut checked.damages);
        checked.second = undamaged(done, checked)?.unwrap_or_default();
    }
    Ok(())
}

/// The value, or `None` if it is damaged. Adds the damage to `checked`.
fn undamaged<T>(found: Result<T, CheckError>, checked: &mut Checked) -> Result<Option<T>, Stopped> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(CheckError::Stopped) => Err(Stopped),
        Err(CheckError::Damaged(failure)) => {
            if !checked.damages.contains(&failure) {
                checked.damages.push(failure);
            }
            Ok(None)
        }
    }
}
