//! Checks that plan and ledger can be read and agree.

use crate::part::lost_input;
use crate::plan::{Part, Plan, UNPLANNED};
use folder::{
    Failure, Folder, WITHOUT_TABLES,
    ledger::{self, LedgerEntry},
    regular,
};
use std::collections::BTreeMap;
use std::path::Path;
use stores::Location;
use tables::Table;

/// The plan and the ledger of a folder.
#[derive(Debug)]
pub(super) struct Records {
    /// The plan, if it can be read.
    pub(super) plan: Option<Plan>,
    /// The entries that can be read, by part.
    pub(super) entries: BTreeMap<u32, LedgerEntry>,
}

impl Records {
    /// Reads both. Fails if the folder has neither.
    pub(super) fn read(folder: &Folder, damages: &mut Vec<Failure>) -> Result<Self, Failure> {
        let found = ledger::each(folder)?;
        let plan = match Plan::read(folder) {
            Ok(Some(plan)) => Some(plan),
            Ok(None) if found.is_empty() => {
                let cause = "it has no plan, _robocensus/plan.ndjson";
                return Err(Failure::new(WITHOUT_TABLES, folder.root(), cause));
            }
            Ok(None) => {
                damages.push(Failure::new("plan is missing", &folder.plan(), UNPLANNED));
                None
            }
            Err(failure) => {
                damages.push(failure);
                None
            }
        };
        let mut entries = BTreeMap::new();
        for (path, entry) in found {
            match entry.and_then(|entry| ledger::check_name(folder, &path, &entry).map(|()| entry)) {
                Err(failure) => damages.push(failure),
                Ok(entry) => _ = entries.insert(entry.part, entry),
            }
        }
        Ok(Records { plan, entries })
    }

    /// The parts on which plan and ledger agree. Everything else is added to `damages`.
    pub(super) fn agreeing<'r>(
        &'r self,
        plan: &'r Plan,
        folder: &Folder,
        damages: &mut Vec<Failure>,
    ) -> Vec<(&'r Part, &'r LedgerEntry)> {
        // Parts of shards are reported together, when their folder is.
        let has_shards = folder.shards().exists();
        let next = if has_shards { "commit continues from here" } else { "ingest continues from here" };
        let mut agreeing = Vec::new();
        for part in &plan.parts {
            for input in &part.inputs {
                if !is_named_by(&input.warc_filename, &input.path) {
                    let path = input.path.shown().display();
                    let cause = format_args!("the input {} is to be read from {path}", input.warc_filename);
                    damages.push(Failure::new("input has another path", &folder.plan(), cause));
                }
            }
            let path = folder.entry(part.part);
            match self.entries.get(&part.part) {
                // An entry that cannot be read was reported before.
                None if path.exists() => {}
                None => {
                    let tables = tables::tables();
                    let is_there = |table: &&Table| folder.file(table.name, &part.crawl, part.part).exists();
                    let files = tables.iter().filter(is_there).count();
                    if has_shards && files == 0 {
                        continue;
                    }
                    let cause = format_args!("it has {files} files and no entry; {next}");
                    damages.push(Failure::new("part is not done", &path, cause));
                }
                Some(entry) => match entry_difference(plan, part, entry) {
                    Some(cause) => damages.push(Failure::new("ledger differs from the plan", &path, cause)),
                    None => match outdated(part, entry, next) {
                        Some(cause) => damages.push(Failure::new("part is not done", &path, cause)),
                        None => agreeing.push((part, entry)),
                    },
                },
            }
        }
        for part in self.entries.keys().filter(|part| **part as usize >= plan.parts.len()) {
            let cause = format_args!("the plan has no part {part}");
            damages.push(Failure::new("ledger entry is foreign", &folder.entry(*part), cause));
        }
        agreeing
    }
}

/// Whether the name of an input can come from its path: it is the path as typed, or its end from `crawl-data` on.
fn is_named_by(name: &str, path: &Location) -> bool {
    let ends = |path: &str| path.replace('\\', "/").ends_with(&name.replace('\\', "/"));
    match path {
        Location::File(path) => ends(&path.to_string_lossy()),
        // A list has the plain key; the URL has it percent-encoded.
        Location::Object(url) => ends(url.as_str()) || ends(&url.key()),
    }
}

/// How an entry differs from the plan, if it does.
fn entry_difference(plan: &Plan, part: &Part, entry: &LedgerEntry) -> Option<String> {
    if entry.crawl != part.crawl {
        return Some(format!("its crawl is {}, but that of the part is {}", entry.crawl, part.crawl));
    }
    if entry.inputs.len() != part.inputs.len() {
        return Some(format!("it has {} inputs, but the part has {}", entry.inputs.len(), part.inputs.len()));
    }
    let Plan { header, .. } = plan;
    if entry.made_by != header.made_by {
        return Some(format!("it was made by {}, but the plan by {}", entry.made_by, header.made_by));
    }
    let tables: Vec<&str> = tables::tables().iter().map(|table| table.name).collect();
    let files: Vec<&str> = entry.files.iter().map(|file| file.table.as_str()).collect();
    (tables != files).then(|| format!("its files are {}, but the tables are {}", files.join(", "), tables.join(", ")))
}

/// Why a part must be made again: an input in the plan has changed. `None` if it need not.
fn outdated(part: &Part, entry: &LedgerEntry, next: &str) -> Option<String> {
    let changed = &part.changed_since(entry).next()?.warc_filename;
    Some(match lost_archive(part, entry) {
        None => format!("{changed} has changed since it was read; {next}"),
        Some(lost) => {
            format!("{changed} has changed since it was read, but {lost} is gone; once it exists again, {next}")
        }
    })
}

/// An archive whose rows would be lost if the part were made again.
pub(super) fn lost_archive(part: &Part, entry: &LedgerEntry) -> Option<String> {
    let files = part.inputs.iter().map(|planned| planned.path.file());
    let errors = files.map(|file| regular::metadata(file?).err().map(|error| error.to_string()));
    lost_input(part, entry, errors, None).map(|lost| format!("{}{}", lost.path.display(), place_hint(&lost.path)))
}

/// What a path in the plan is relative to, for messages.
pub(super) fn place_hint(path: &Path) -> &'static str {
    if path.is_relative() { " (relative to where ingest was run)" } else { "" }
}
