//! Checks that the files of derived tables are unchanged. A query reports it when they are out of date.

use super::damage::CheckError;
use super::file::{CheckedFile, FileRecord};
use super::findings::Findings;
use super::job::CheckJob;
use super::leftovers::find_foreign;
use folder::Failure;
use folder::models::{self, PART};
use std::collections::BTreeSet;

/// Checks all derived tables. If the check is stopped, says so and returns early.
pub(super) fn check(job: CheckJob<'_>, findings: &mut Findings) {
    for table in tables::derived() {
        let entries = match models::each(job.folder, table.name) {
            Ok(entries) => entries,
            Err(failure) => {
                findings.damages.push(failure);
                continue;
            }
        };
        let mut files = BTreeSet::new();
        for (entry, made) in entries {
            let made = match made {
                Ok(made)
                    if made.file.table != table.name || entry != models::entry(job.folder, table.name, &made.crawl) =>
                {
                    let cause = format_args!("it belongs to {} of {}", made.file.table, made.crawl);
                    findings.damages.push(Failure::new("entry of a derived table is misnamed", &entry, cause));
                    continue;
                }
                Ok(made) => made,
                Err(failure) => {
                    findings.damages.push(failure);
                    // The file is that of the entry, as its name says, and not foreign.
                    let crawl = entry.file_stem().unwrap_or_default().to_string_lossy();
                    files.insert(job.folder.file(table.name, &crawl, PART));
                    continue;
                }
            };
            let path = job.folder.file(table.name, &made.crawl, PART);
            files.insert(path.clone());
            match CheckedFile::open(&table, path, (&made.file, &FileRecord::Models), job) {
                Ok(_) => {
                    findings.files += 1;
                    findings.bytes += made.file.bytes;
                }
                Err(CheckError::Damaged(failure)) => findings.damages.push(failure),
                Err(CheckError::Stopped) => {
                    findings.is_stopped = true;
                    return;
                }
            }
        }
        const CAUSE: &str = "it was not made by robocensus models";
        let folder = job.folder.root().join(table.name);
        find_foreign(&folder, &files, (CAUSE, CAUSE), &mut findings.damages);
    }
}
