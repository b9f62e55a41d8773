//! Identifies the tables of a report by one digest of the digests of all their files.

use folder::digest::Digest;
use folder::{Failure, Folder, ledger, models, part_name};
use std::collections::BTreeSet;
use tables::PARTITION;

/// Identifies the tables of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// SHA-256 over a line for each file, ordered by name; `None` if no ledger lists files.
    pub(crate) digest: Option<String>,
    /// The number of files.
    pub(crate) files: usize,
    /// The programs that made the files, with their versions.
    pub(crate) made_by: BTreeSet<String>,
}

impl Fingerprint {
    /// Reads the ledger and the derived tables. Fails if they cannot be read.
    pub(crate) fn read(folder: &Folder) -> Result<Self, Failure> {
        let crawl = PARTITION.name;
        let mut lines = BTreeSet::new();
        let mut made_by = BTreeSet::new();
        for entry in ledger::read(folder)?.into_values() {
            let part = part_name(entry.part);
            for file in &entry.files {
                lines.insert(format!("{}/{crawl}={}/{part} {}", file.table, entry.crawl, file.sha256));
            }
            made_by.insert(entry.made_by);
        }
        for table in tables::derived() {
            for (_, made) in models::each(folder, table.name)? {
                let made = made?;
                lines.insert(format!("{}/{crawl}={} {}", made.file.table, made.crawl, made.file.sha256));
                made_by.insert(made.made_by);
            }
        }
        let mut digest = Digest::default();
        for line in &lines {
            digest.update(line);
            digest.update("\n");
        }
        Ok(Fingerprint { digest: (!lines.is_empty()).then(|| digest.letters()), files: lines.len(), made_by })
    }
}
