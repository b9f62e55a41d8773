//! The parts that wait for the commit.

use super::marker::Marker;
use super::{all_hosts, needs_work};
use crate::part::{ENTRY, is_published, is_staged, lost_input, staged_file};
use crate::plan::{Part, Plan};
use crate::run::shard_plan::ShardPlan;
use folder::ledger::{self, LedgerEntry};
use folder::{Failure, Folder, mounts, part_name};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The parts that shards have staged.
pub(super) struct Staged {
    /// The shards that are not done.
    pub(super) missing: Vec<u32>,
    /// The parts that are staged, by number.
    pub(super) parts: BTreeMap<u32, LedgerEntry>,
    /// The ledger.
    pub(super) entries: BTreeMap<u32, LedgerEntry>,
}

impl Staged {
    /// Fails if a shard has staged other files than its marker says.
    pub(super) fn read(shards: &ShardPlan, plan: &Plan, folder: &Folder) -> Result<Self, Vec<Failure>> {
        let entries = ledger::read(folder)?;
        let mut staged = Staged { missing: Vec::new(), parts: BTreeMap::new(), entries };
        let stores = all_hosts(plan);
        let mut failures = Vec::new();
        for shard in 0..shards.shards.get() {
            let mut parts = BTreeMap::new();
            for part in shards.parts_of(shard, plan) {
                let entry = staged_entry(shard, part, staged.entries.get(&part.part), folder)?;
                parts.extend(entry.map(|entry| (part.part, entry)));
            }
            let needed = |part: &&Part| !parts.contains_key(&part.part) && !staged.entries.contains_key(&part.part);
            let is_whole = shards.parts_of(shard, plan).find(needed).is_none();
            let is_made = |part: &Part| !needs_work(part, &staged.entries, folder, &stores);
            match Marker::read(shard, folder)? {
                Some(marker) if is_whole => {
                    let entry = |part: u32| parts.get(&part).or(staged.entries.get(&part));
                    if !marker.agrees(shards, entry) {
                        failures.push(marker.differs(folder));
                    }
                }
                // It had nothing to do. Without a marker, an entry may be older than the plan.
                None if parts.is_empty() && shards.parts_of(shard, plan).all(is_made) => {}
                _ => staged.missing.push(shard),
            }
            staged.parts.extend(parts);
        }
        if failures.is_empty() { Ok(staged) } else { Err(failures) }
    }
}

/// The entry of a part that a shard has staged, which is always complete. `None` if the part is not staged.
///
/// Fails if rows of the part in the tables would be lost. A task of an earlier plan may stage it whenever it continues.
pub(super) fn staged_entry(
    shard: u32,
    part: &Part,
    in_tables: Option<&LedgerEntry>,
    folder: &Folder,
) -> Result<Option<LedgerEntry>, Failure> {
    let staged = folder.staged(part.part);
    let path = staged.join(ENTRY);
    if !is_staged(folder, part.part) {
        return Ok(None);
    }
    let remedy = match mounts::is_mounted(&staged) {
        true => format!("remove {ENTRY} in its folder and start shard {shard} again"),
        false => format!("remove the folder {} and start shard {shard} again", part_name(part.part)),
    };
    let entry = ledger::read_from(&path, &remedy)?;
    if entry.part != part.part || entry.crawl != part.crawl || !entry.is_complete() {
        let cause = format_args!("it is part {} of {}", entry.part, entry.crawl);
        return Err(Failure::new("staged part belongs to another plan", &path, cause));
    }
    let errors = entry.inputs.iter().map(|read| read.error.clone());
    if let Some(lost) = in_tables.and_then(|in_tables| lost_input(part, in_tables, errors, None)) {
        let cause = format_args!("it lacks rows of {}, which the tables have; {remedy}", lost.path.display());
        return Err(Failure::new("staged part belongs to another plan", &path, cause));
    }
    for file in &entry.files {
        let path = staged_file(folder, part.part, file);
        match fs::metadata(&path) {
            Ok(found) if found.len() == file.bytes => {}
            Ok(found) => {
                let (bytes, before) = (found.len(), file.bytes);
                let cause = format_args!("it has {bytes} bytes, and had {before} when its shard made it; {remedy}");
                return Err(Failure::new("staged file has changed", &path, cause));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !is_published(file, &entry, folder) && !is_in_store(&path)? {
                    return Err(Failure::new("staged file is missing", &path, remedy));
                }
            }
            Err(error) => return Err(Failure::new("staged file cannot be read", &path, error)),
        }
    }
    Ok(Some(entry))
}

/// Whether a file is in its store now. A store is listed page by page, and another task may stage the part meanwhile:
/// then its entry is found without all of its files.
fn is_in_store(path: &Path) -> Result<bool, Failure> {
    let found = mounts::list(path.parent().unwrap_or(path));
    Ok(found.map_err(Failure::at("staged file cannot be read", path))?.iter().any(|found| found == path))
}
