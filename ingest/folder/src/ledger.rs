//! The ledger: for each part its files, with rows, bytes and digests, and the sums of its inputs.
//!
//! An entry is written once all files of its part have their final names. A part without an entry is not done, even if
//! it has files.

use crate::blocks::Blocks;
use crate::crawl;
use crate::failure::Failure;
use crate::layout::Folder;
use crate::regular;
use crate::seal::{self, Unread};
use crate::stamp::Stamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The ledger entry of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Its number.
    pub part: u32,
    /// Its crawl.
    pub crawl: String,
    /// Its inputs as they were read, in the order of the plan.
    pub inputs: Vec<ReadInput>,
    /// Its files, in the order of the tables.
    pub files: Vec<WrittenFile>,
    /// The sums of its inputs.
    pub sums: Sums,
    /// The program that made the part, with its version.
    pub made_by: String,
    /// How many seconds it took.
    pub seconds: f64,
}

/// An input as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadInput {
    /// Its size and modification time. `None` if it was missing, or is an object.
    pub stamp: Option<Stamp>,
    /// The object, if it came from a store or server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ReadObject>,
    /// Why it, or the rest of it, could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its bytes without a readable record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<InputDamage>,
}

/// An object as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadObject {
    /// Its size in bytes.
    pub bytes: u64,
    /// Its ETag, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
}

/// Bytes of an input without a readable record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputDamage {
    /// How many.
    pub bytes: u64,
    /// The offset of the first.
    pub offset: u64,
    /// The reason of the first, as in `skips`.
    pub cause: String,
}

/// A file of a table, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// The table.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, in hex.
    pub sha256: String,
    /// The digests of its blocks.
    pub blocks: Blocks,
}

/// The sums of inputs: `records = captures + skipped`, `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// All inputs.
    pub inputs: u64,
    /// Inputs with damage.
    pub damaged_inputs: u64,
    /// Inputs that could not be read to their end.
    pub failed_inputs: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes that are not damaged.
    pub good_bytes: u64,
    /// Bytes without a readable record.
    pub damaged_bytes: u64,
    /// Records.
    pub records: u64,
    /// Records that became captures.
    pub captures: u64,
    /// Records that were skipped, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Bytes of decoded bodies of captures.
    pub body_bytes: u64,
}

/// The greatest count of rows, bytes or records that an entry may have. Sums over all entries then fit their type.
const MOST_COUNTED: u64 = 1 << 48;

impl LedgerEntry {
    /// All counts that are added up over entries.
    fn counts(&self) -> impl Iterator<Item = u64> {
        let files = self.files.iter().flat_map(|file| [file.rows, file.bytes]);
        files.chain(self.sums.counts())
    }

    /// The tables of its files, in order.
    fn tables(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.table.as_str())
    }

    /// Whether it has one file of each table that ingest writes, in the order of the tables.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.tables().eq(written_tables())
    }
}

/// The names of the tables that ingest writes, in order.
fn written_tables() -> Vec<&'static str> {
    tables::tables().iter().map(|table| table.name).collect()
}

/// The crawls of entries, by name.
#[must_use]
pub fn crawls(entries: &BTreeMap<u32, LedgerEntry>) -> BTreeSet<&str> {
    entries.values().map(|entry| entry.crawl.as_str()).collect()
}

impl Sums {
    fn counts(&self) -> impl Iterator<Item = u64> {
        let Sums { inputs, damaged_inputs, failed_inputs, bytes, good_bytes, damaged_bytes, .. } = *self;
        [inputs, damaged_inputs, failed_inputs, bytes, good_bytes, damaged_bytes]
            .into_iter()
            .chain([self.records, self.captures, self.body_bytes])
            .chain(self.skipped.values().copied())
    }

    /// Adds the sums of other inputs.
    pub fn add(&mut self, others: &Sums) {
        let Sums { inputs, damaged_inputs, failed_inputs, bytes, good_bytes, damaged_bytes, .. } = others;
        self.inputs += inputs;
        self.damaged_inputs += damaged_inputs;
        self.failed_inputs += failed_inputs;
        self.bytes += bytes;
        self.good_bytes += good_bytes;
        self.damaged_bytes += damaged_bytes;
        self.records += others.records;
        self.captures += others.captures;
        self.body_bytes += others.body_bytes;
        for (reason, count) in &others.skipped {
            *self.skipped.entry(reason.clone()).or_default() += count;
        }
    }
}

/// Writes an entry, so that it survives a crash.
pub fn write(folder: &Folder, entry: &LedgerEntry) -> Result<(), Failure> {
    let path = folder.entry(entry.part);
    write_to(&folder.draft(&path), &path, entry)
}

/// Writes an entry to a path, through a draft in the same file system.
pub fn write_to(draft: &Path, path: &Path, entry: &LedgerEntry) -> Result<(), Failure> {
    seal::write(draft, path, entry).map_err(Failure::at("ledger cannot be written", path))
}

/// All entries of the visible crawls, by part. Fails for an entry that `check` would report, since its tables become
/// parts of paths, and its part is not made again.
pub fn read(folder: &Folder) -> Result<BTreeMap<u32, LedgerEntry>, Failure> {
    let tables = written_tables();
    let mut entries = BTreeMap::new();
    for (path, entry) in each(folder)? {
        let entry = entry?;
        check_name(folder, &path, &entry)?;
        if !entry.tables().all(|table| tables.contains(&table)) {
            return Err(Failure::new("ledger cannot be read", &path, "it names a table that does not exist"));
        }
        if folder.has(&entry.crawl) {
            entries.insert(entry.part, entry);
        }
    }
    Ok(entries)
}

/// Fails if an entry is in the file of another part.
pub fn check_name(folder: &Folder, path: &Path, entry: &LedgerEntry) -> Result<(), Failure> {
    if path == folder.entry(entry.part) {
        return Ok(());
    }
    Err(Failure::new("ledger entry is misnamed", path, format_args!("it belongs to part {}", entry.part)))
}

/// A file of the ledger with its entry, or why the entry cannot be read.
pub type FoundEntry = (PathBuf, Result<LedgerEntry, Failure>);

/// All files of the ledger with their entries, by file name. A folder in place of a file is an entry that cannot be read.
pub fn each(folder: &Folder) -> Result<Vec<FoundEntry>, Failure> {
    // A link in place of the records would lead out of the folder.
    regular::list_below(&folder.records())?;
    let mut entries = Vec::new();
    let listed = regular::list_below(&folder.ledger())?;
    let mut paths = [listed.files, listed.folders].concat();
    paths.sort();
    for path in paths {
        // Others are skipped here; a check reports them.
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let entry = read_from(&path, "if you remove it, ingest makes the part again");
        entries.push((path, entry));
    }
    Ok(entries)
}

/// The entry in a file. `remedy` is what the user can do if it is damaged or missing.
pub fn read_from(path: &Path, remedy: &str) -> Result<LedgerEntry, Failure> {
    const WHAT: &str = "ledger cannot be read";
    let unread = Unread { what: WHAT, remedy };
    let entry: LedgerEntry = seal::read(unread, path)?.ok_or_else(|| unread.damaged(path, "it is missing"))?;
    crawl::check(&entry.crawl).map_err(Failure::at(WHAT, path))?;
    if entry.counts().any(|count| count > MOST_COUNTED) {
        return Err(Failure::new(WHAT, path, "it has a count that no part can have"));
    }
    Ok(entry)
}
