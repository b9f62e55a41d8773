//! A run: reads inputs and writes a folder of tables, part by part, on all workers.

mod report;
mod shard_plan;
pub mod shards;

pub use report::RunReport;

use crate::inputs::Input;
use crate::part::{PartDestination, PartJob, Permits, make_parts};
use crate::plan::{Part, Plan, PlanHeader, PlanOptions, Planned};
use crate::progress::Progress;
use crate::rows::KeepText;
use folder::{
    Failure, Folder, Lock, durable,
    ledger::{self, LedgerEntry, Sums},
};
use report::report;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use stores::Stores;

/// The options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// How many threads work at a time.
    pub jobs: NonZeroUsize,
    /// How to plan the inputs.
    pub plan: PlanOptions,
    /// Where inputs with URLs come from.
    pub stores: Stores,
}

/// Runs an ingest. The folder is locked until the run ends.
pub fn run(
    inputs: Vec<Input>,
    out: &Path,
    options: &RunOptions,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<RunReport, Vec<Failure>> {
    let folder = Folder::at(out);
    folder::refuse_other_files(&folder)?;
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let report = all_parts(inputs, &folder, options, progress, stop);
    folder::end_work(&folder, report)
}

/// Makes all parts that are not done.
fn all_parts(
    inputs: Vec<Input>,
    folder: &Folder,
    options: &RunOptions,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<RunReport, Vec<Failure>> {
    shard_plan::refuse_planned(folder)?;
    let (plan, is_new) = plan(inputs, folder, options.plan)?;
    if is_new {
        plan.write(folder)?;
    }
    durable::make_folder(&folder.ledger()).map_err(Failure::at("folder cannot be made", &folder.ledger()))?;
    let mut entries = ledger::read(folder)?;
    let todo = plan.parts.iter().filter(|part| needs_work(part, entries.get(&part.part), folder)).collect();
    let workers = Workers { jobs: options.jobs, stores: &options.stores };
    let (done, parts_left) = make(todo, &plan, PartDestination::Tables(folder), workers, progress, stop)?;
    let mut read = Sums::default();
    for entry in done {
        read.add(&entry.sums);
        entries.insert(entry.part, entry);
    }
    Ok(RunReport { parts_left, read, ..report(&plan.parts, &entries) })
}

/// The resources for making parts.
#[derive(Debug, Clone, Copy)]
pub struct Workers<'s> {
    /// How many threads work at a time.
    pub jobs: NonZeroUsize,
    /// Where inputs with URLs come from.
    pub stores: &'s Stores,
}

/// Makes parts. Returns their ledger entries and the number of parts that are left.
fn make(
    todo: Vec<&Part>,
    plan: &Plan,
    destination: PartDestination<'_>,
    Workers { jobs, stores }: Workers<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<(Vec<LedgerEntry>, usize), Vec<Failure>> {
    let todo = by_size(todo);
    // The sizes of objects are unknown.
    let has_objects = todo.iter().any(|part| part.has_objects());
    let bytes = if has_objects { 0 } else { todo.iter().map(|part| part.bytes()).sum() };
    progress.bytes_in_all.store(bytes, Ordering::Relaxed);
    progress.inputs_in_all.store(todo.iter().map(|part| part.inputs.len() as u64).sum(), Ordering::Relaxed);
    let keep_text = KeepText::from(plan.header.keep_text);
    let (permits, large_bodies) = (Permits::new(jobs), Permits::new(NonZeroUsize::MIN));
    let job =
        PartJob { destination, keep_text, progress, stop, stores, permits: &permits, large_bodies: &large_bodies };
    let done = work(&todo, job, jobs)?;
    let parts_left = todo.len() - done.len();
    Ok((done, parts_left))
}

/// The plan of the folder with the inputs added, and whether it must be written.
fn plan(inputs: Vec<Input>, folder: &Folder, options: PlanOptions) -> Result<(Plan, bool), Vec<Failure>> {
    let before = Plan::read(folder)?;
    let fresh = Plan::new(options.keep_text);
    let mut plan = before.clone().unwrap_or_else(|| fresh.clone());
    if let Some(cause) = header_difference(&plan.header, &fresh.header) {
        return Err(started_differently(folder, cause).into());
    }
    plan.take(inputs, options)?;
    let is_new = before.as_ref() != Some(&plan);
    Ok((plan, is_new))
}

fn started_differently(folder: &Folder, cause: String) -> Failure {
    Failure::new("tables were started differently", folder.root(), cause)
}

/// Why a run cannot add to a folder: the new parts would differ in kind from the old. `None` if it can.
fn header_difference(before: &PlanHeader, now: &PlanHeader) -> Option<String> {
    if before.made_by != now.made_by {
        let (before, now) = (&before.made_by, &now.made_by);
        return Some(format!("by {before}, but this is {now}; use that version or another folder"));
    }
    if before.public_suffix_list != now.public_suffix_list {
        let (before, now) = (&before.public_suffix_list, &now.public_suffix_list);
        return Some(format!("with the public suffix list {before}, but this run has {now}; use another folder"));
    }
    let texts =
        |header: &PlanHeader| if header.keep_text { "with the text of bodies" } else { "without the text of bodies" };
    (before.keep_text != now.keep_text)
        .then(|| format!("{}, but this run is {}; use another folder", texts(before), texts(now)))
}

/// Whether a part must be made, although it may have an entry: an input has changed or could not be read, or a file of
/// the part is missing.
fn needs_work(part: &Part, entry: Option<&LedgerEntry>, folder: &Folder) -> bool {
    match entry {
        Some(entry) => !is_done(part, entry) || can_replace(part, entry, folder),
        None => true,
    }
}

/// Whether all inputs of a part were read as planned. A file that could not be read is tried again once it exists, an
/// object in any case.
fn is_done(part: &Part, entry: &LedgerEntry) -> bool {
    let mut inputs = part.inputs.iter().zip(&entry.inputs);
    part.is_current(entry) && inputs.all(|(planned, read)| read.error.is_none() || is_missing(planned))
}

/// Whether a file of a part is missing and can be made again. Without one of its inputs, the part would lose rows.
fn can_replace(part: &Part, entry: &LedgerEntry, folder: &Folder) -> bool {
    !has_all_files(entry, folder) && !part.inputs.iter().any(is_missing)
}

/// Whether all files of an entry are in the tables.
fn has_all_files(entry: &LedgerEntry, folder: &Folder) -> bool {
    entry.files.iter().all(|file| folder.file(&file.table, &entry.crawl, entry.part).exists())
}

fn is_missing(planned: &Planned) -> bool {
    planned.path.file().is_some_and(|path| !path.exists())
}

/// The largest parts first, so that no core works alone on a large one at the end.
fn by_size(mut parts: Vec<&Part>) -> Vec<&Part> {
    parts.sort_by_key(|part| (std::cmp::Reverse(part.bytes()), part.part));
    parts
}

/// Makes parts until none is left, one fails, or the run is stopped. Each pipeline of threads keeps two cores busy.
fn work(todo: &[&Part], job: PartJob<'_>, jobs: NonZeroUsize) -> Result<Vec<LedgerEntry>, Vec<Failure>> {
    let pipelines = jobs.get().div_ceil(2).min(todo.len());
    let next = AtomicUsize::new(0);
    // If one pipeline fails, for example on a full disk, the others stop.
    let has_failed = AtomicBool::new(false);
    let results = Mutex::new((Vec::new(), Vec::new()));
    let pipeline = || {
        let made = make_parts(
            || {
                let ends = job.stop.load(Ordering::Relaxed) || has_failed.load(Ordering::Relaxed);
                if ends { None } else { todo.get(next.fetch_add(1, Ordering::Relaxed)).copied() }
            },
            job,
        );
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        match made {
            Ok(entries) => results.0.extend(entries),
            Err(failure) => {
                has_failed.store(true, Ordering::Relaxed);
                results.1.push(failure);
            }
        }
    };
    let started = thread::scope(|scope| {
        (0..pipelines).try_for_each(|_| {
            let started = thread::Builder::new().spawn_scoped(scope, pipeline).map(drop);
            started.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
        })
    });
    let (done, failures) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failures.is_empty()
        && let Err(error) = started
    {
        return Err(vec![Failure::of_threads(jobs)(error)]);
    }
    if failures.is_empty() { Ok(done) } else { Err(failures) }
}
