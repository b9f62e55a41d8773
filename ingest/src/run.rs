//! A run: reads inputs and writes a folder of tables, part by part, on all workers.

mod report;
mod shard_plan;
pub mod shards;

pub use report::RunReport;

use crate::inputs::Input;
use crate::part::{MadePart, PartDestination, PartJob, Permits, lost_input, make_parts, unpublished};
use crate::plan::{Part, Plan, PlanHeader, PlanOptions, Planned};
use crate::progress::Progress;
use crate::rows::KeepText;
use folder::{
    Failure, Folder, Lock, durable,
    failure::lower,
    ledger::{self, LedgerEntry, Sums},
    regular,
};
use parking_lot::Mutex;
use report::{final_report, report};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use stores::{Location, Stores};

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
    let mut entries = ledger::read(folder)?;
    let (plan, is_new) = plan(inputs, folder, &entries, options.plan)?;
    if is_new {
        plan.write(folder)?;
    }
    durable::make_folder(&folder.ledger()).map_err(Failure::at("folder cannot be made", &folder.ledger()))?;
    let mut todo = Todo::default();
    for part in &plan.parts {
        todo.add(part, state_in_tables(part, entries.get(&part.part), folder, &options.stores));
    }
    let workers = Workers { jobs: options.jobs, stores: &options.stores };
    let MadeParts { done, kept, read, parts_left } =
        make(todo, &entries, &plan, PartDestination::Tables(folder), workers, progress, stop)?;
    entries.extend(done.into_iter().map(|entry| (entry.part, entry)));
    // Of a run that was stopped, nothing is said about changed inputs: the next run reads them.
    let report = if parts_left == 0 { final_report } else { report };
    let report = report(&plan.parts, &entries);
    let parts_kept = kept.len();
    // First: there may be many of the others.
    let flawed = [kept, report.flawed].concat();
    Ok(RunReport { parts_left, parts_kept, read, flawed, ..report })
}

/// The resources for making parts.
#[derive(Debug, Clone, Copy)]
pub struct Workers<'s> {
    /// How many threads work at a time.
    pub jobs: NonZeroUsize,
    /// Where inputs with URLs come from.
    pub stores: &'s Stores,
}

/// The parts to make.
#[derive(Debug, Default)]
struct Todo<'p> {
    parts: Vec<&'p Part>,
    /// Why other parts are not made again.
    kept: Vec<Failure>,
}

impl<'p> Todo<'p> {
    fn add(&mut self, part: &'p Part, state: PartState) {
        match state {
            PartState::Done => {}
            PartState::Outdated => self.parts.push(part),
            PartState::Kept(failure) => self.kept.push(failure),
        }
    }
}

/// The result of making parts.
#[derive(Debug)]
struct MadeParts {
    /// The ledger entries of the parts that were made.
    done: Vec<LedgerEntry>,
    /// Why earlier versions of other parts were kept.
    kept: Vec<Failure>,
    /// The sums of the inputs that were read.
    read: Sums,
    /// How many parts are left because the run was stopped.
    parts_left: usize,
}

/// Makes parts. Each replaces its earlier version, unless it has fewer rows because an input cannot be read.
fn make(
    Todo { parts: todo, mut kept }: Todo<'_>,
    earlier: &BTreeMap<u32, LedgerEntry>,
    plan: &Plan,
    destination: PartDestination<'_>,
    Workers { jobs, stores }: Workers<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<MadeParts, Vec<Failure>> {
    let todo = by_size(todo);
    // The sizes of objects are unknown.
    let has_objects = todo.iter().any(|part| part.has_objects());
    let bytes = if has_objects { 0 } else { todo.iter().map(|part| part.bytes()).sum() };
    progress.bytes_in_all.store(bytes, Ordering::Relaxed);
    progress.inputs_in_all.store(todo.iter().map(|part| part.inputs.len() as u64).sum(), Ordering::Relaxed);
    let keep_text = KeepText::from(plan.header.keep_text);
    let (permits, large_bodies) = (Permits::new(jobs), Permits::new(NonZeroUsize::MIN));
    let (permits, large_bodies) = (&permits, &large_bodies);
    let job = PartJob { destination, earlier, keep_text, progress, stop, stores, permits, large_bodies };
    let made = work(&todo, job, jobs)?;
    let parts_left = todo.len() - made.len();
    let (mut done, mut read) = (Vec::new(), Sums::default());
    for part in made {
        match part {
            MadePart::Done(entry) => {
                read.add(&entry.sums);
                done.push(entry);
            }
            MadePart::Kept(sums, failure) => {
                read.add(&sums);
                kept.push(failure);
            }
        }
    }
    // The threads finish in any order.
    kept.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(MadeParts { done, kept, read, parts_left })
}

/// The plan of the folder with the inputs added, and whether it must be written.
fn plan(
    inputs: Vec<Input>,
    folder: &Folder,
    entries: &BTreeMap<u32, LedgerEntry>,
    options: PlanOptions,
) -> Result<(Plan, bool), Vec<Failure>> {
    let before = Plan::read(folder)?;
    let fresh = Plan::new(options.keep_text);
    let mut plan = before.clone().unwrap_or_else(|| fresh.clone());
    if let Some(cause) = header_difference(&plan.header, &fresh.header) {
        return Err(started_differently(folder, cause).into());
    }
    plan.take(inputs, entries, options)?;
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

/// Whether a part must be made.
#[derive(Debug)]
enum PartState {
    /// No: it was made of all inputs that can be read, as they are planned.
    Done,
    /// Yes: it was not made, an input has changed or could not be read, or a file of the part is missing or has
    /// another length.
    Outdated,
    /// It is outdated, but a new version would lose rows, since an input cannot be read any more.
    Kept(Failure),
}

/// The state of a part, by its version in the tables.
fn state_in_tables(part: &Part, entry: Option<&LedgerEntry>, folder: &Folder, stores: &Stores) -> PartState {
    match entry {
        Some(entry) if unpublished(entry, folder).is_none() && is_done(part, entry, stores) => PartState::Done,
        Some(entry) => outdated(part, entry, Some(folder), stores),
        None => PartState::Outdated,
    }
}

/// The state of a part that has an outdated version, in the tables of a folder or staged.
fn outdated(part: &Part, entry: &LedgerEntry, folder: Option<&Folder>, stores: &Stores) -> PartState {
    let errors = part.inputs.iter().map(|planned| unreadable(planned, stores));
    lost_input(part, entry, errors, folder).map_or(PartState::Outdated, PartState::Kept)
}

/// Whether all inputs of a part were read as planned. One that could not be read is tried again if it is a file that
/// exists or an object to which requests are allowed.
fn is_done(part: &Part, entry: &LedgerEntry, stores: &Stores) -> bool {
    let mut inputs = part.inputs.iter().zip(&entry.inputs);
    part.is_current(entry)
        && inputs.all(|(planned, read)| read.error.is_none() || unreadable(planned, stores).is_some())
}

/// Why an input cannot be read now, as far as is known before it is opened.
fn unreadable(planned: &Planned, stores: &Stores) -> Option<String> {
    match &planned.path {
        Location::File(path) => regular::metadata(path).err().map(|error| lower(error.to_string())),
        Location::Object(url) => stores.check_allowed(url).err().map(|error| error.to_string()),
    }
}

/// The largest parts first, so that no core works alone on a large one at the end.
fn by_size(mut parts: Vec<&Part>) -> Vec<&Part> {
    parts.sort_by_key(|part| (std::cmp::Reverse(part.bytes()), part.part));
    parts
}

/// Makes parts until none is left, one fails, or the run is stopped. Each pipeline of threads keeps two cores busy.
fn work(todo: &[&Part], job: PartJob<'_>, jobs: NonZeroUsize) -> Result<Vec<MadePart>, Vec<Failure>> {
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
        let mut results = results.lock();
        match made {
            Ok(parts) => results.0.extend(parts),
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
    let (done, failures) = results.into_inner();
    if failures.is_empty()
        && let Err(error) = started
    {
        return Err(vec![Failure::of_threads(jobs)(error)]);
    }
    if failures.is_empty() { Ok(done) } else { Err(failures) }
}
