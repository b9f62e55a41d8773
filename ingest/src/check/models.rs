//! Checks that the files of derived tables are complete and unchanged. A query reports it when they are out of date.

use super::damage::CheckError;
use super::file::{CheckedFile, FileRecord};
use super::findings::Findings;
use super::job::CheckJob;
use super::leftovers::find_foreign;
use folder::Failure;
use folder::ledger::{self, LedgerEntry};
use folder::models::{self, PART};
use std::collections::{BTreeMap, BTreeSet};

/// Checks all derived tables. If the check is stopped, says so and returns early. A crawl may have none, but not some.
pub(super) fn check(parts: &BTreeMap<u32, LedgerEntry>, job: CheckJob<'_>, findings: &mut Findings) {
    let has_entry = |table: &str, crawl: &str| models::entry(job.folder, table, crawl).exists();
    let is_begun = |table: &str, crawl: &str| has_entry(table, crawl) || job.folder.partition(table, crawl).exists();
    let is_derived = |crawl: &&str| tables::derived().iter().any(|table| is_begun(table.name, crawl));
    let (crawls, without): (Vec<_>, Vec<_>) = ledger::crawls(parts).into_iter().partition(is_derived);
    findings.crawls_without_derived = without.len() as u64;
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
        for crawl in crawls.iter().filter(|crawl| !has_entry(table.name, crawl)) {
            // A run that is stopped may leave the file without its entry.
            let path = job.folder.file(table.name, crawl, PART);
            let cause = "it has no entry in _robocensus/models; robocensus models makes it";
            findings.damages.push(Failure::new("derived table is unfinished", &path, cause));
            files.insert(path);
        }
        const CAUSE: &str = "it was not made by robocensus models";
        let folder = job.folder.root().join(table.name);
        find_foreign(&folder, &files, (CAUSE, CAUSE), &mut findings.damages);
    }
}
