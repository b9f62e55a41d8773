//! Verifies a folder of tables: every file, byte count and reference between tables.
//!
//! Parquet does not notice a flipped bit, so the files are compared with the digests in the ledger. A digest shows that
//! a file is unchanged, not that it was right. So sums and references between tables are computed again from the rows,
//! without the code that wrote them. Conditions on the rows of several tables are checked in SQL, by `queries/checks`.
//! Each condition is checked in only one of the two places.
//!
//! On request, the archives are read again and compared with the rows. This takes longer than all other checks. It uses
//! a reader that this project did not write, see [`reread`](crate::reread).
//!
//! Each worker checks one part after the other. It reads a few columns and a batch of rows at a time, so memory does
//! not grow with the tables. Nothing that is read is trusted, and nothing is written.

mod account;
mod archives;
mod batches;
mod captures;
mod damage;
mod file;
mod findings;
mod job;
mod keys;
mod leftovers;
mod models;
mod options;
mod part;
mod records;

use crate::archive::Workshop;
use crate::plan::Plan;
use crate::progress::Progress;
use folder::{Failure, Folder, Lock, regular};
use job::CheckJob;
use part::Checked;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use records::Records;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

pub use archives::{SecondReading, Unreadable};
pub use findings::Findings;
pub use options::{Archives, CheckOptions, Digests};

/// Checks a folder of tables. Fails if nothing can be checked: no folder, no tables, or a run that writes to the
/// folder.
pub fn check(root: &Path, options: CheckOptions, progress: &Progress, stop: &AtomicBool) -> Result<Findings, Failure> {
    folder::require_folder(root)?;
    let folder = Folder::at(root);
    let _lock = Lock::share(&folder)?;
    let mut findings = Findings { damages: regular::others(&folder), ..Findings::default() };
    // A symbolic link would lead the check out of the folder.
    if findings.damages.is_empty() {
        check_folder(CheckJob { folder: &folder, options, progress, stop }, &mut findings)?;
    }
    findings.set_unread_apart();
    Ok(findings)
}

/// Fails if a file to write is an archive of the tables, which a check reads again on request.
pub fn refuse_archive(out: &Path, root: &Path) -> Result<(), Failure> {
    // The check says why a plan cannot be read.
    let Ok(Some(plan)) = Plan::read(&Folder::at(root)) else { return Ok(()) };
    let inputs = plan.parts.iter().flat_map(|part| &part.inputs);
    regular::refuse_input(out, inputs.filter_map(|planned| planned.path.file()))
}

fn check_folder(job: CheckJob<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let CheckJob { folder, options, progress, .. } = job;
    let records = Records::read(folder, &mut findings.damages)?;
    // Without a plan, it is unknown which files should exist.
    let Some(plan) = &records.plan else { return Ok(()) };
    let parts = records.agreeing(plan, folder, &mut findings.damages);
    let files = || parts.iter().flat_map(|(_, entry)| &entry.files);
    let reread = if options.archives == Archives::Reread { &*parts } else { &[] };
    let archives = || reread.iter().flat_map(|(part, entry)| archives::readable(part, entry));
    let bytes = files().map(|file| file.bytes).chain(archives().map(|(.., stamp)| stamp.bytes));
    progress.bytes_in_all.store(bytes.fold(0, u64::saturating_add), Ordering::Relaxed);
    progress.inputs_in_all.store((files().count() + archives().count()) as u64, Ordering::Relaxed);
    let pool = ThreadPoolBuilder::new().num_threads(options.jobs.get().min(parts.len().max(1))).build();
    let pool = pool.map_err(Failure::of_threads(options.jobs))?;
    let checked: Vec<Option<Checked>> = pool.install(|| {
        let parts = parts.par_iter();
        parts.map_init(Workshop::default, |workshop, (part, entry)| part::check(part, entry, workshop, job)).collect()
    });
    for checked in checked {
        let Some(Checked { damages, files, bytes, captures, second }) = checked else {
            findings.parts_left += 1;
            findings.is_stopped = true;
            continue;
        };
        findings.damages.extend(damages);
        findings.parts += 1;
        findings.files += files;
        findings.bytes += bytes;
        findings.captures += captures;
        findings.second.add(second);
    }
    leftovers::find(plan, &records.entries, folder, &mut findings.damages);
    models::check(&records.entries, job, findings);
    findings.damages.extend(folder::views_file::check(folder));
    Ok(())
}
