//! Shards: a run that several machines share, with any scheduler.
//!
//! The plan is written once ([`plan()`]). Of N shards, shard I makes the parts whose number is I modulo N ([`work()`]).
//! It stages them beside the tables and writes a marker when it is done. Staged parts are always complete, and running
//! the shard again makes the missing ones. So a machine may be lost at any time, and two may work on one shard. There
//! is no lock, since a lost machine could keep it. When all shards are done, their parts are published ([`commit()`]).

mod marker;
mod staged;

pub use super::shard_plan::ShardPlan;

use super::report::{RunReport, final_report, report};
use super::{MadeParts, PartState, Todo, Workers, header_difference, is_done, make, outdated};
use super::{started_differently, state_in_tables, unreadable};
use crate::archive::OtherFormat;
use crate::inputs::Input;
use crate::part::{ENTRY, PartDestination, publish_staged, unpublished};
use crate::plan::{Changed, Part, Plan, PlanOptions, Planned};
use crate::progress::Progress;
use folder::ledger::{self, LedgerEntry, Sums};
use folder::{Failure, Folder, Lock, durable, mounts, regular};
use marker::Marker;
use staged::{Staged, staged_entry};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use stores::Stores;

/// The result of [`plan()`].
#[derive(Debug)]
pub struct PlannedShards {
    /// The shards.
    pub shards: ShardPlan,
    /// How many parts they will make.
    pub parts: u64,
    /// How many inputs these parts have.
    pub inputs: u64,
    /// The bytes of these inputs, except those of unknown size.
    pub bytes: u64,
}

/// The result of [`work()`].
#[derive(Debug)]
pub struct ShardReport {
    /// How many parts the shard has. None if there are more shards than parts.
    pub parts: usize,
    /// How many parts are left because the run was stopped.
    pub parts_left: usize,
    /// How many earlier parts were kept, because an input of them cannot be read any more.
    pub parts_kept: usize,
    /// The sums of the inputs that this run read.
    pub read: Sums,
    /// Inputs of this shard that are damaged or could not be read, with causes.
    pub flawed: Vec<Failure>,
}

/// The result of [`commit()`].
#[derive(Debug)]
pub enum Committed {
    /// It published nothing: these shards are not done.
    Missing(Vec<u32>),
    /// It published nothing: all parts of the plan were already in the tables.
    Nothing(Box<RunReport>),
    /// It published parts. Some are left if it was stopped.
    Parts(Box<RunReport>),
}

/// Adds the inputs to the plan of the folder, for `shards` shards. Repeating the call changes nothing.
pub fn plan(
    inputs: Vec<Input>,
    out: &Path,
    shards: NonZeroU32,
    options: PlanOptions,
) -> Result<PlannedShards, Vec<Failure>> {
    let folder = Folder::at(out);
    folder::refuse_other_files(&folder)?;
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let planned = plan_shards(inputs, &folder, shards, options);
    folder::end_work(&folder, planned)
}

fn plan_shards(
    inputs: Vec<Input>,
    folder: &Folder,
    shards: NonZeroU32,
    options: PlanOptions,
) -> Result<PlannedShards, Vec<Failure>> {
    let before = ShardPlan::read(folder)?;
    let changed = match options.changed {
        Changed::Refuse if before.is_some() => Changed::RefuseBeforeCommit,
        other => other,
    };
    let entries = ledger::read(folder)?;
    let (plan, is_new) = super::plan(inputs, folder, &entries, PlanOptions { changed, ..options })?;
    let planned = ShardPlan { shards, plan: plan.digest(folder)? };
    if before.is_none() {
        // A task that started before the last commit may have left files.
        remove_shards(folder)?;
    }
    if let Some(before) = before.filter(|before| *before != planned) {
        let cause = if before.shards == shards {
            "with other inputs or options; robocensus commit publishes its shards".to_owned()
        } else {
            format!("with --shards {}, not {shards}; robocensus commit publishes them", before.shards)
        };
        return Err(Failure::new("folder is already planned", folder.root(), cause).into());
    }
    if is_new {
        plan.write(folder)?;
    }
    let stores = all_hosts(&plan);
    let todo = plan.parts.iter().filter(|part| needs_work(part, &entries, folder, &stores));
    let todo: Vec<&Part> = todo.collect();
    for made in [folder.ledger(), folder.shard_drafts()] {
        durable::make_folder(&made).map_err(Failure::at("folder cannot be made", &made))?;
    }
    planned.write(folder)?;
    let inputs = todo.iter().map(|part| part.inputs.len() as u64).sum();
    let bytes = todo.iter().map(|part| part.bytes()).sum();
    Ok(PlannedShards { shards: planned, parts: todo.len() as u64, inputs, bytes })
}

/// Whether a part must be made, by its version in the tables.
fn needs_work(part: &Part, entries: &BTreeMap<u32, LedgerEntry>, folder: &Folder, stores: &Stores) -> bool {
    matches!(state_in_tables(part, entries.get(&part.part), folder, stores), PartState::Outdated)
}

/// Stores that may request all hosts of a plan, as its shards may.
fn all_hosts(plan: &Plan) -> Stores {
    let stores = Stores::default();
    allow_all(&plan.parts, &stores);
    stores
}

fn allow_all<'p>(parts: impl IntoIterator<Item = &'p Part>, stores: &Stores) {
    parts.into_iter().flat_map(|part| &part.inputs).for_each(|planned| stores.allow(&planned.path));
}

/// The shards of a folder and their plan. `None` if no shards are planned.
fn open(folder: &Folder) -> Result<Option<(ShardPlan, Plan)>, Failure> {
    if let Some(other) = regular::others(folder).into_iter().next() {
        return Err(other);
    }
    let Some(shards) = ShardPlan::read(folder)? else { return Ok(None) };
    let plan = Plan::read(folder)?.ok_or_else(|| unplanned(folder))?;
    if plan.digest(folder)? != shards.plan {
        let cause = "the shards were planned with another plan; robocensus plan gives details";
        return Err(Failure::new("plan has changed", &folder.plan(), cause));
    }
    let keep_text = crate::rows::KeepText::from(plan.header.keep_text);
    match header_difference(&plan.header, &Plan::new(keep_text).header) {
        Some(cause) => Err(started_differently(folder, cause)),
        None => Ok(Some((shards, plan))),
    }
}

fn unplanned(folder: &Folder) -> Failure {
    Failure::new(
        "no shards are planned",
        folder.root(),
        "robocensus plan INPUT --shards N --out DIR plans them; robocensus ingest INPUT --out DIR needs none",
    )
}

/// The shards that a folder waits for. Fails if it waits for none.
pub fn planned(out: &Path) -> Result<ShardPlan, Failure> {
    let folder = Folder::at(out);
    ShardPlan::read(&folder)?.ok_or_else(|| unplanned(&folder))
}

/// Whether an input of the plan is an object in a store.
pub fn reads_objects(out: &Path) -> Result<bool, Failure> {
    let folder = Folder::at(out);
    let plan = Plan::read(&folder)?.ok_or_else(|| unplanned(&folder))?;
    Ok(plan.parts.iter().any(Part::has_objects))
}

/// Makes the parts of a shard that are not staged yet, and stages them. The first shard has the number 0.
///
/// Starting a shard means trusting the plan of the folder, so requests to the hosts in it are allowed.
pub fn work(
    out: &Path,
    shard: u32,
    workers: Workers<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<ShardReport, Vec<Failure>> {
    let folder = Folder::at(out);
    let (shards, plan) = open(&folder)?.ok_or_else(|| unplanned(&folder))?;
    if shard >= shards.shards.get() {
        let cause = format_args!(
            "there is no shard {shard}: the plan was made with --shards {}, and the first is 0",
            shards.shards
        );
        return Err(Failure::new("shard is unknown", folder.root(), cause).into());
    }
    allow_all(shards.parts_of(shard, &plan), workers.stores);
    let mut earlier = ledger::read(&folder)?;
    let (mut parts, mut staged, mut todo) = (0, BTreeMap::new(), Todo::default());
    for part in shards.parts_of(shard, &plan) {
        parts += 1;
        let in_tables = earlier.get(&part.part);
        let state = match staged_entry(shard, part, in_tables, &folder)? {
            None => state_in_tables(part, in_tables, &folder, workers.stores),
            Some(entry) => {
                let is_done = is_done(part, &entry, workers.stores);
                let state = if is_done { PartState::Done } else { outdated(part, &entry, None, workers.stores) };
                staged.insert(part.part, entry.clone());
                earlier.insert(part.part, entry);
                state
            }
        };
        todo.add(part, state);
    }
    refuse_without_archives(&todo, workers.stores)?;
    let marker = folder.shard_marker(shard);
    for made in [&folder.all_staged(), &folder.shard_drafts(), marker.parent().unwrap_or(&marker)] {
        durable::make_folder(made).map_err(Failure::at("folder cannot be made", made))?;
    }
    if !todo.parts.is_empty() {
        // The shard is not done until it leaves another marker.
        durable::remove(&marker).map_err(Failure::at("file cannot be removed", &marker))?;
    }
    let MadeParts { done, kept, read, parts_left } =
        make(todo, &earlier, &plan, PartDestination::Stage(&folder), workers, progress, stop)?;
    staged.extend(done.into_iter().map(|entry| (entry.part, entry)));
    if parts_left == 0 {
        let entry = |part: u32| staged.get(&part).or(earlier.get(&part));
        refuse_unread(shards.parts_of(shard, &plan), &staged, &folder)?;
        Marker::new(shard, &shards, staged.values()).leave(entry, &folder)?;
    }
    let parts_kept = kept.len();
    let report = if parts_left == 0 { final_report } else { report };
    let flawed = [kept, report(&plan.parts, &staged).flawed].concat();
    Ok(ShardReport { parts, parts_left, parts_kept, read, flawed })
}

/// Fails if archives existed when they were planned and none of them does now: the task has another working folder, or
/// a file system is not mounted. The shard would be done without a row.
fn refuse_without_archives(todo: &Todo<'_>, stores: &Stores) -> Result<(), Failure> {
    let planned = || todo.parts.iter().flat_map(|part| &part.inputs).filter(|planned| planned.stamp.is_some());
    let is_missing = |planned: &Planned| unreadable(planned, stores).is_some();
    match planned().next() {
        Some(first) if planned().nth(1).is_some() && planned().all(is_missing) => {
            let cause = "none of its archives exists, but all did when they were planned; start it in the folder in \
                         which robocensus plan ran, on a machine that reaches them";
            Err(Failure::new("shard has no archive", first.path.shown(), cause))
        }
        _ => Ok(()),
    }
}

/// Fails if a shard has several archives and read none of them: a store refuses them all, or all have changed. The shard
/// would be done without a row. A file that was missing when it was planned does not count, and neither does one that
/// is no archive: to start the shard again would not help.
fn refuse_unread<'p>(
    parts: impl Iterator<Item = &'p Part>,
    staged: &BTreeMap<u32, LedgerEntry>,
    folder: &Folder,
) -> Result<(), Failure> {
    let read = |part: &Part| staged.get(&part.part).into_iter().flat_map(|entry| &entry.inputs);
    let inputs = parts.flat_map(|part| part.inputs.iter().zip(read(part)));
    let planned = inputs.filter(|(planned, read)| {
        (planned.stamp.is_some() || planned.path.file().is_none())
            && !read.error.as_deref().is_some_and(OtherFormat::is_cause)
    });
    let errors: Option<Vec<_>> = planned.map(|(planned, read)| Some((planned, read.error.as_ref()?))).collect();
    match errors.as_deref() {
        Some([(first, error), _, ..]) => {
            let planned = folder.shards();
            let planned = mounts::shown(&planned);
            let cause = format_args!(
                "{error}; none of its other archives was read, either; start it again when they can be read; to read \
                 changed archives, remove {}, run robocensus plan again with --refresh, and start all shards",
                planned.display()
            );
            Err(Failure::new("shard has read no archive", first.path.shown(), cause))
        }
        _ => Ok(()),
    }
}

/// The shards that are not done.
pub fn missing(out: &Path) -> Result<Vec<u32>, Vec<Failure>> {
    let folder = Folder::at(out);
    match open(&folder)? {
        None => all_done(&folder).map(|_| Vec::new()),
        Some((shards, plan)) => Ok(Staged::read(&shards, &plan, &folder)?.missing),
    }
}

/// Publishes the parts of all shards, and then removes the plan for shards. If it was stopped, the same call continues.
pub fn commit(out: &Path, progress: &Progress, stop: &AtomicBool) -> Result<Committed, Vec<Failure>> {
    let folder = Folder::at(out);
    // Before the lock, which would make a folder of tables of any folder.
    if Plan::read(&folder)?.is_none() {
        return Err(unplanned(&folder).into());
    }
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let committed = commit_all(&folder, progress, stop);
    folder::end_work(&folder, committed)
}

fn commit_all(folder: &Folder, progress: &Progress, stop: &AtomicBool) -> Result<Committed, Vec<Failure>> {
    let Some((shards, plan)) = open(folder)? else {
        let report = all_done(folder)?;
        // A task that started before the last commit may have left files.
        remove_shards(folder)?;
        return Ok(Committed::Nothing(Box::new(report)));
    };
    let Staged { missing, parts, mut entries } = Staged::read(&shards, &plan, folder)?;
    if !missing.is_empty() {
        return Ok(Committed::Missing(missing));
    }
    let bytes = |entry: &LedgerEntry| entry.files.iter().map(|file| file.bytes).sum::<u64>();
    progress.bytes_in_all.store(parts.values().map(bytes).sum(), Ordering::Relaxed);
    progress.inputs_in_all.store(parts.len() as u64, Ordering::Relaxed);
    let mut left = parts.len();
    for (part, entry) in parts {
        if stop.load(Ordering::Relaxed) {
            let report = RunReport { parts_left: left, ..report(&plan.parts, &entries) };
            return Ok(Committed::Parts(Box::new(report)));
        }
        // A commit that was stopped may have published it.
        if entries.get(&part) != Some(&entry) || unpublished(&entry, folder).is_some() {
            publish_staged(&entry, folder)?;
        }
        Progress::add(&progress.bytes, bytes(&entry));
        Progress::add(&progress.inputs, 1);
        Progress::add(&progress.captures, entry.sums.captures);
        entries.insert(part, entry);
        left -= 1;
    }
    remove_shards(folder)?;
    Ok(Committed::Parts(Box::new(final_report(&plan.parts, &entries))))
}

/// Removes the plan for shards and what they have made. The work folder must exist.
fn remove_shards(folder: &Folder) -> Result<(), Failure> {
    let shards = folder.shards();
    if mounts::is_mounted(&shards) {
        return remove_stored_shards(folder).map_err(Failure::at("shards cannot be removed", &shards));
    }
    if shards.exists() {
        // In one step: a folder of some shards would stop every later command. The work folder is removed at the end.
        let aside = folder.draft(&shards);
        durable::publish(&shards, &aside).map_err(Failure::at("folder cannot be named", &aside))?;
    }
    Ok(())
}

/// Removes the entries of staged parts before their files, and the markers after the plan for shards. So a commit that
/// is stopped here can be continued.
fn remove_stored_shards(folder: &Folder) -> io::Result<()> {
    let (entries, others): (Vec<_>, Vec<_>) =
        mounts::list(&folder.shards())?.into_iter().partition(|path| path.ends_with(ENTRY));
    let (plan, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|path| *path == folder.shard_plan());
    [entries, plan, others].iter().try_for_each(|paths| mounts::remove_all(paths))?;
    fs::remove_dir_all(folder.shards()).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })
}

/// The report of a folder whose plan is done. Fails if it is not done.
fn all_done(folder: &Folder) -> Result<RunReport, Vec<Failure>> {
    let plan = Plan::read(folder)?.ok_or_else(|| unplanned(folder))?;
    let entries = ledger::read(folder)?;
    if !plan.parts.iter().all(|part| entries.contains_key(&part.part)) {
        return Err(unplanned(folder).into());
    }
    Ok(final_report(&plan.parts, &entries))
}
