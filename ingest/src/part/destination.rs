//! Where the files of a finished part go: to the tables, or beside them.

use folder::ledger::{self, LedgerEntry, WrittenFile};
use folder::{Failure, Folder, durable, mounts, part_name, seal};
use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tables::captures;

/// The file name of the ledger entry of a staged part.
pub(crate) const ENTRY: &str = "entry.json";

/// Where finished parts go.
#[derive(Debug, Clone, Copy)]
pub enum PartDestination<'d> {
    /// To the tables. The run is the only one that writes to the folder.
    Tables(&'d Folder),
    /// Beside the tables, for a shard. Several machines may make the same part at the same time, since one that does
    /// not answer may still be working. They all make the same bytes, and the first counts.
    Stage(&'d Folder),
}

impl PartDestination<'_> {
    pub(super) fn folder(&self) -> &Folder {
        match self {
            PartDestination::Tables(folder) | PartDestination::Stage(folder) => folder,
        }
    }

    /// Where to write the files of a part.
    pub(super) fn work_of(&self, part: u32) -> PathBuf {
        match self {
            PartDestination::Tables(folder) => folder.work_of(part),
            PartDestination::Stage(folder) => folder.shard_drafts().join(unique_name(&part_name(part))),
        }
    }

    /// Publishes or stages the files of a part, which are finished and synced. They replace those of an earlier version.
    pub(super) fn take(&self, work: &Path, entry: &LedgerEntry, earlier: Option<&LedgerEntry>) -> Result<(), Failure> {
        match self {
            PartDestination::Tables(folder) => publish(work, entry, folder),
            PartDestination::Stage(folder) => stage(work, entry, earlier, folder),
        }
    }
}

/// A name that no other process uses.
pub(crate) fn unique_name(name: &str) -> String {
    let random = RandomState::new().hash_one(std::process::id());
    format!("{name}.{}-{random:016x}", std::process::id())
}

/// The file of a table in the work folder of a part.
pub(crate) fn draft_of(work: &Path, table: &str) -> PathBuf {
    work.join(format!("{table}.parquet"))
}

/// The file of a table of a staged part. In a store, its name has the digest: two shards that make the same part cannot
/// mix their files, even if an input changed between them.
pub(crate) fn staged_file(folder: &Folder, part: u32, file: &WrittenFile) -> PathBuf {
    let staged = folder.staged(part);
    match mounts::is_mounted(&staged) {
        true => staged.join(format!("{}.{}.parquet", file.table, file.sha256)),
        false => draft_of(&staged, &file.table),
    }
}

/// Whether a part is staged.
pub(crate) fn is_staged(folder: &Folder, part: u32) -> bool {
    let staged = folder.staged(part);
    // A folder appears at once, but the files of a part in a store one by one, and the entry last. A commit that is
    // stopped while it removes a folder may leave it empty.
    match mounts::is_mounted(&staged) {
        true => staged.join(ENTRY).exists(),
        false => fs::read_dir(staged).is_ok_and(|mut found| found.next().is_some()),
    }
}

/// Stages the files with their entry, in place of an earlier version of the part. If another process has staged the
/// part meanwhile, removes them.
fn stage(work: &Path, entry: &LedgerEntry, earlier: Option<&LedgerEntry>, folder: &Folder) -> Result<(), Failure> {
    let staged = folder.staged(entry.part);
    let path = staged.join(ENTRY);
    let is_earlier = |earlier: &LedgerEntry| ledger::read_from(&path, "").is_ok_and(|staged| staged == *earlier);
    let replaces = is_staged(folder, entry.part) && earlier.is_some_and(is_earlier);
    if mounts::is_mounted(&staged) {
        if replaces {
            durable::remove(&path).map_err(Failure::at("file cannot be removed", &path))?;
        }
        return stage_in_store(work, entry, folder);
    }
    ledger::write_to(&work.join("entry.draft"), &work.join(ENTRY), entry)?;
    if replaces {
        durable::exchange_folder(work, &staged).map_err(Failure::at("part cannot be staged", &staged))?;
        return discard(work);
    }
    match durable::publish(work, &staged) {
        Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => discard(work),
        done => done.map_err(Failure::at("part cannot be staged", &staged)),
    }
}

/// Puts the files into the store, and then the entry, unless the part has one.
fn stage_in_store(work: &Path, entry: &LedgerEntry, folder: &Folder) -> Result<(), Failure> {
    for file in &entry.files {
        let path = staged_file(folder, entry.part, file);
        let put = mounts::put(&draft_of(work, &file.table), &path);
        put.map_err(Failure::at("part cannot be staged", &path))?;
    }
    let (draft, path) = (work.join(ENTRY), folder.staged(entry.part).join(ENTRY));
    let written = seal::line(entry).and_then(|text| fs::write(&draft, text));
    match written.and_then(|()| mounts::put(&draft, &path)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        done => done.map_err(Failure::at("part cannot be staged", &path))?,
    }
    discard(work)
}

/// Removes a work folder.
pub(crate) fn discard(work: &Path) -> Result<(), Failure> {
    fs::remove_dir_all(work).map_err(Failure::at("folder cannot be removed", work))
}

/// Withdraws the earlier files of a part: first its ledger entry, then its captures. So no visible row refers to a
/// missing row while the files are replaced.
fn withdraw(entry: &LedgerEntry, folder: &Folder) -> Result<(), Failure> {
    let captures = folder.file(captures::table().name, &entry.crawl, entry.part);
    for path in [folder.entry(entry.part), captures] {
        durable::remove(&path).map_err(Failure::at("file cannot be removed", &path))?;
    }
    Ok(())
}

/// The files of a part in the order in which they are published: `captures` last, so that everything a capture refers to
/// is visible before it.
fn in_order(entry: &LedgerEntry) -> [Vec<&WrittenFile>; 2] {
    let (others, last) = entry.files.iter().partition(|file| file.table != captures::table().name);
    [others, last]
}

/// Publishes the files of a part, and then the entry. If an earlier attempt was interrupted, some files already have their names.
pub(crate) fn publish(work: &Path, entry: &LedgerEntry, folder: &Folder) -> Result<(), Failure> {
    if draft_of(work, captures::table().name).exists() {
        withdraw(entry, folder)?;
    }
    for file in in_order(entry).into_iter().flatten() {
        let draft = draft_of(work, &file.table);
        let partition = folder.partition(&file.table, &entry.crawl);
        let path = folder.file(&file.table, &entry.crawl, entry.part);
        durable::make_folder(&partition).map_err(Failure::at("folder cannot be made", &partition))?;
        match durable::publish(&draft, &path) {
            Err(error) if error.kind() == ErrorKind::NotFound && is_published(file, entry, folder) => {}
            done => done.map_err(Failure::at("file cannot be named", &path))?,
        }
    }
    ledger::write(folder, entry)?;
    discard(work)
}

/// Publishes a staged part, as [`publish`] does. In a store, its files are copied and stay staged.
pub(crate) fn publish_staged(entry: &LedgerEntry, folder: &Folder) -> Result<(), Failure> {
    let staged = folder.staged(entry.part);
    if !mounts::is_mounted(&staged) {
        return publish(&staged, entry, folder);
    }
    let mut staged_files = entry.files.iter().map(|file| staged_file(folder, entry.part, file));
    if let Some(missing) = staged_files.find(|path| !path.exists()) {
        return Err(Failure::new(
            "staged file is missing",
            &missing,
            "remove entry.json beside it, and start its shard again",
        ));
    }
    withdraw(entry, folder)?;
    for files in in_order(entry) {
        let path_of = |file: &WrittenFile| folder.file(&file.table, &entry.crawl, entry.part);
        let pairs: Vec<_> = files.iter().map(|file| (staged_file(folder, entry.part, file), path_of(file))).collect();
        mounts::copy(&pairs).map_err(Failure::at("files cannot be copied", &staged))?;
    }
    ledger::write(folder, entry)
}

/// The first file of a part that is not in its table, or has another length there.
pub(crate) fn unpublished(entry: &LedgerEntry, folder: &Folder) -> Option<PathBuf> {
    let file = entry.files.iter().find(|file| !is_published(file, entry, folder))?;
    Some(folder.file(&file.table, &entry.crawl, entry.part))
}

/// Whether a file of a part is in its table, with its length.
pub(crate) fn is_published(file: &WrittenFile, entry: &LedgerEntry, folder: &Folder) -> bool {
    let path = folder.file(&file.table, &entry.crawl, entry.part);
    fs::metadata(path).is_ok_and(|found| found.len() == file.bytes)
}
