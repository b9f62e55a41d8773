//! What became of each part: its files with their rows, bytes and digests, and the sums of its inputs.
//!
//! An entry is written when all files of its part lie under their names. A part without one has not been done, whatever
//! lies there.

use crate::durable;
use crate::failure::Failure;
use crate::layout::Folder;
use crate::stamp::Stamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What became of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Its number.
    pub part: u32,
    /// Its crawl.
    pub crawl: String,
    /// Its inputs as they were when they were read, in the order of the plan.
    pub inputs: Vec<ReadInput>,
    /// Its files, in the order of the tables.
    pub files: Vec<WrittenFile>,
    /// The sums of its inputs.
    pub sums: Sums,
    /// The program that made it.
    pub made_by: String,
    /// How long that took.
    pub seconds: f64,
}

/// An input as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadInput {
    /// Its size and time; none where it was missing.
    pub stamp: Option<Stamp>,
    /// Why it, or the rest of it, could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Bytes of it that hold no record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<InputDamage>,
}

/// Bytes of an input that hold no record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputDamage {
    /// How many.
    pub bytes: u64,
    /// Where the first of them are.
    pub offset: u64,
    /// What those are.
    pub cause: String,
}

/// A file of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// The table.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hex.
    pub sha256: String,
}

/// The sums of inputs: `records = captures + skipped`, `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Inputs.
    pub inputs: u64,
    /// Inputs of which bytes hold no record.
    pub damaged_inputs: u64,
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of what is whole.
    pub good_bytes: u64,
    /// All other bytes.
    pub damaged_bytes: u64,
    /// Records.
    pub records: u64,
    /// Records that became captures.
    pub captures: u64,
    /// Records that did not, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Bytes of decoded bodies of captures.
    pub body_bytes: u64,
}

impl Sums {
    /// Adds others.
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

/// Writes an entry.
pub fn write(folder: &Folder, entry: &LedgerEntry) -> Result<(), Failure> {
    let path = folder.entry(entry.part);
    let cannot = || Failure::at("ledger cannot be written", &path);
    let mut text = serde_json::to_vec(entry).map_err(|error| cannot()(error.to_string()))?;
    text.push(b'\n');
    durable::write(&folder.draft(&path), &path, &text).map_err(|error| cannot()(error.to_string()))
}

/// All entries, by part.
pub fn read(folder: &Folder) -> Result<BTreeMap<u32, LedgerEntry>, Failure> {
    let mut entries = BTreeMap::new();
    for (_, entry) in each(folder)? {
        let entry = entry?;
        entries.insert(entry.part, entry);
    }
    Ok(entries)
}

/// A file of the ledger, and what stands in it.
pub type FoundEntry = (PathBuf, Result<LedgerEntry, Failure>);

/// Each entry with the file that it stands in, or why it cannot be read, by the names of the files.
pub fn each(folder: &Folder) -> Result<Vec<FoundEntry>, Failure> {
    let cannot = |path: &Path, cause: &dyn std::fmt::Display| Failure::new("ledger cannot be read", path, cause);
    let listed = match fs::read_dir(folder.ledger()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot(&folder.ledger(), &error)),
        Ok(listed) => listed,
    };
    let mut entries = Vec::new();
    for found in listed {
        let path = found.map_err(|error| cannot(&folder.ledger(), &error))?.path();
        // Of what is no entry nothing is known here; a check names it.
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read(&path).map_err(|error| cannot(&path, &error));
        let entry = text.and_then(|text| serde_json::from_slice(&text).map_err(|error| cannot(&path, &error)));
        entries.push((path, entry));
    }
    entries.sort_by(|(path, _), (other, _)| path.cmp(other));
    Ok(entries)
}
