//! Finds files that belong to no part. Readers would read them too, since they read every file below a table's folder.

use crate::plan::Plan;
use folder::{Failure, Folder, ledger::LedgerEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Finds files below the tables and in `_robocensus` that belong to no part or derived table and are no record of a run,
/// and foreign folders beside them. Files of a part that is not done are reported with the part.
pub(super) fn find(plan: &Plan, entries: &BTreeMap<u32, LedgerEntry>, folder: &Folder, damages: &mut Vec<Failure>) {
    let planned = || plan.parts.iter().map(|part| (part.crawl.as_str(), part.part));
    let parts = || planned().chain(entries.values().map(|entry| (entry.crawl.as_str(), entry.part)));
    for table in tables::tables() {
        let files = parts().map(|(crawl, part)| folder.file(table.name, crawl, part)).collect();
        let causes = ("no part belongs to that crawl", "it belongs to no part");
        find_foreign(&folder.root().join(table.name), &files, causes, damages);
    }
    let is_entry = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    for path in list(&folder.ledger(), damages).into_iter().filter(|path| !is_entry(path)) {
        damages.push(Failure::new("file is foreign", &path, "it is not a ledger entry"));
    }
    let is_expected = |path: &Path| path.file_name().is_some_and(|name| folder.is_expected(&name.to_string_lossy()));
    for path in list(folder.root(), damages) {
        if path.is_dir() && !is_expected(&path) {
            damages.push(Failure::new("folder is foreign", &path, "it is not a table"));
        }
    }
    let models = folder.models();
    let views = folder::views_file::entry(folder);
    let records =
        [folder.plan(), folder.ledger(), folder.work(), folder.lock(), folder.shards(), models.clone(), views];
    for path in list(&folder.records(), damages).into_iter().filter(|path| !records.contains(path)) {
        damages.push(Failure::new("file is foreign", &path, "it is not a record of a run"));
    }
    let of_models: Vec<PathBuf> = tables::derived().iter().map(|table| folder.model(table.name)).collect();
    for path in list(&models, damages).into_iter().filter(|path| !of_models.contains(path)) {
        damages.push(Failure::new("folder is foreign", &path, "it belongs to no derived table"));
    }
    if folder.shards().exists() {
        let cause = "robocensus commit publishes them; commit --missing names those that are not done";
        damages.push(Failure::new("shards are not published", &folder.shards(), cause));
    }
    for path in list(&folder.work(), damages).into_iter().filter(|path| !folder.is_task_lock(path)) {
        damages.push(Failure::new("file is left over", &path, "a run was killed; the next one removes it"));
    }
}

/// Finds what is below a table besides its files. The causes are those of a foreign partition, which has none of its
/// files, and of a foreign file in another one.
pub(super) fn find_foreign(
    table: &Path,
    files: &BTreeSet<PathBuf>,
    (of_partition, of_file): (&str, &str),
    damages: &mut Vec<Failure>,
) {
    let partitions: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    for path in list(table, damages) {
        if !partitions.contains(&*path) {
            damages.push(Failure::new("partition is foreign", &path, of_partition));
            continue;
        }
        for path in list(&path, damages).into_iter().filter(|path| !files.contains(path)) {
            damages.push(Failure::new("file is foreign", &path, of_file));
        }
    }
}

/// The paths in a folder, sorted. Empty if the folder is missing, since its files are reported one by one.
fn list(folder: &Path, damages: &mut Vec<Failure>) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).and_then(|listed| listed.map(|found| found.map(|found| found.path())).collect());
    let mut paths: Vec<PathBuf> = match listed {
        Ok(paths) => paths,
        Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            damages.push(Failure::new("folder cannot be read", folder, error));
            return Vec::new();
        }
    };
    paths.sort_unstable();
    paths
}
