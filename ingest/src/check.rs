//! A proof that a folder of tables is whole: what lies there is what a run made, and adds up.
//!
//! Parquet does not notice a flipped bit, so the files are compared with the digests in the ledger. A digest tells what
//! was written and not whether that was right, so the sums and the references between tables are computed once more from
//! the rows themselves, by none of the code that wrote them.
//!
//! Whether the rows say what the archives hold is asked only if the archives are to be read again, which takes longer than
//! all else: by a reader that this project did not write, see [`reread`](crate::reread).
//!
//! It reads one part after the other on each worker, and of a part a few columns, a batch of rows at a time: memory does
//! not grow with the tables. Nothing that it reads is trusted to be what it should be, and nothing is written.

mod account;
mod archives;
mod batches;
mod captures;
mod damage;
mod file;
mod guard;
mod keys;
mod leftovers;
mod models;
mod part;
mod records;

use crate::archive::Workshop;
use crate::progress::Progress;
use folder::{Failure, Folder, Lock};
use part::{CheckJob, Checked};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use records::Records;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub use archives::{SecondReading, Unreadable};

/// How a check is to go.
#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// How many parts are checked at a time.
    pub jobs: NonZeroUsize,
    /// What becomes of the digests of files.
    pub digests: Digests,
    /// What becomes of the archives.
    pub archives: Archives,
}

/// What becomes of the digests of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digests {
    /// All bytes are read and compared with them, so that no flipped bit is missed.
    Compare,
    /// They are passed over, and so is what of the files needs not be read.
    PassOver,
}

/// What becomes of the archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archives {
    /// Each that was read into the tables is read again by the second reader, and compared with them.
    Reread,
    /// They need not be there.
    PassOver,
}

/// What a check found.
#[derive(Debug, Default)]
pub struct Findings {
    /// What is not as it should be: that of the plan and the ledger, that of each part, and what is left over.
    pub damages: Vec<Failure>,
    /// Parts that were checked.
    pub parts: u64,
    /// Parts that were not, since the check was stopped.
    pub parts_left: u64,
    /// Files that are as the ledger says.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Captures in them.
    pub captures: u64,
    /// What the second reader made of the archives; nothing where they are passed over.
    pub second: SecondReading,
}

/// Does it. An error means that nothing could be checked.
pub fn check(root: &Path, options: CheckOptions, progress: &Progress, stop: &AtomicBool) -> Result<Findings, Failure> {
    fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
    let folder = Folder::at(root);
    let _lock = Lock::share(&folder)?;
    let mut findings = Findings::default();
    let records = Records::read(&folder, &mut findings.damages)?;
    // Without a plan nothing is known to be due, and to prove anything of the rest would be to guess.
    let Some(plan) = &records.plan else { return Ok(findings) };
    let parts = records.agreeing(plan, &folder, &mut findings.damages);
    let files = || parts.iter().flat_map(|(_, entry)| &entry.files);
    let reread = if options.archives == Archives::Reread { &*parts } else { &[] };
    let archives = || reread.iter().flat_map(|(part, entry)| archives::readable(part, entry));
    let bytes = files().map(|file| file.bytes).chain(archives().map(|(.., stamp)| stamp.bytes));
    progress.bytes_in_all.store(bytes.fold(0, u64::saturating_add), Ordering::Relaxed);
    progress.inputs_in_all.store((files().count() + archives().count()) as u64, Ordering::Relaxed);
    let pool = ThreadPoolBuilder::new().num_threads(options.jobs.get().min(parts.len().max(1))).build();
    let pool = pool.map_err(Failure::at("threads cannot be started", &PathBuf::from(options.jobs.to_string())))?;
    let job = CheckJob { folder: &folder, digests: options.digests, archives: options.archives, progress, stop };
    let checked: Vec<Option<Checked>> = pool.install(|| {
        let parts = parts.par_iter();
        parts.map_init(Workshop::default, |workshop, (part, entry)| part::check(part, entry, workshop, job)).collect()
    });
    for checked in checked {
        let Some(Checked { damages, files, bytes, captures, second }) = checked else {
            findings.parts_left += 1;
            continue;
        };
        findings.damages.extend(damages);
        findings.parts += 1;
        findings.files += files;
        findings.bytes += bytes;
        findings.captures += captures;
        findings.second.add(second);
    }
    leftovers::find(plan, &records.entries, &folder, &mut findings.damages);
    models::check(job, &mut findings);
    Ok(findings)
}
