//! The marker of a finished shard: what it has made. It is written once and never replaced.

use crate::part::unique_name;
use crate::run::shard_plan::{ShardPlan, UNREAD};
use folder::digest::Digest;
use folder::ledger::LedgerEntry;
use folder::seal::Unread;
use folder::{Failure, Folder, durable, mounts, seal};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The files that a finished shard has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Marker {
    /// The number of the shard.
    pub(super) shard: u32,
    /// The plan, and how many shards share it.
    #[serde(flatten)]
    shards: ShardPlan,
    /// The numbers of its parts.
    pub(super) parts: Vec<u32>,
    /// The rows of all its files.
    rows: u64,
    /// The bytes of all its files.
    bytes: u64,
    /// A SHA-256 over the SHA-256 of its files, in the order of parts and tables.
    digest: String,
}

impl Marker {
    /// The marker of a shard that has made these parts.
    pub(super) fn new<'e>(shard: u32, shards: &ShardPlan, entries: impl Iterator<Item = &'e LedgerEntry>) -> Self {
        let mut marker =
            Marker { shard, shards: shards.clone(), parts: Vec::new(), rows: 0, bytes: 0, digest: String::new() };
        let mut digest = Digest::default();
        for entry in entries {
            marker.parts.push(entry.part);
            for file in &entry.files {
                marker.rows += file.rows;
                marker.bytes += file.bytes;
                digest.update(format!("{} {} {}\n", entry.part, file.table, file.sha256));
            }
        }
        marker.digest = digest.letters();
        marker
    }

    /// The marker of a shard. `None` if the shard is not done.
    pub(super) fn read(shard: u32, folder: &Folder) -> Result<Option<Self>, Failure> {
        let remedy = again(shard);
        seal::read(Unread { what: UNREAD, remedy: &remedy }, &folder.shard_marker(shard))
    }

    /// Whether its parts have these entries. A stopped commit may have published some of the parts.
    pub(super) fn agrees<'e>(&self, shards: &ShardPlan, entry: impl Fn(u32) -> Option<&'e LedgerEntry>) -> bool {
        *self == Marker::new(self.shard, shards, self.parts.iter().filter_map(|part| entry(*part)))
    }

    /// Writes the marker. An earlier one must agree with the entries and have all parts of this one.
    pub(super) fn leave<'e>(
        &self,
        entry: impl Fn(u32) -> Option<&'e LedgerEntry>,
        folder: &Folder,
    ) -> Result<(), Failure> {
        let path = folder.shard_marker(self.shard);
        let cannot = |error: io::Error| Failure::new("shard cannot be marked as done", &path, error);
        let text = seal::line(self).map_err(cannot)?;
        let draft = folder.shard_drafts().join(unique_name("marker"));
        match create(&draft, &path, text.as_bytes()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => match Marker::read(self.shard, folder)? {
                Some(before)
                    if before.agrees(&self.shards, entry)
                        && self.parts.iter().all(|part| before.parts.contains(part)) =>
                {
                    Ok(())
                }
                _ => Err(self.differs(folder)),
            },
            done => done.map_err(cannot),
        }
    }

    /// The failure of a shard that has staged other files than its marker says.
    pub(super) fn differs(&self, folder: &Folder) -> Failure {
        let cause = format_args!("shard {} has staged other parts or files; {}", self.shard, again(self.shard));
        Failure::new("marker of a shard differs", &folder.shard_marker(self.shard), cause)
    }
}

/// What repairs a damaged or wrong marker.
fn again(shard: u32) -> String {
    format!("remove it and start shard {shard} again")
}

/// Creates a file, complete or not at all. Fails if it exists.
fn create(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    if mounts::is_mounted(path) {
        // The store would replace a file whose version this process has read.
        return if path.exists() { Err(ErrorKind::AlreadyExists.into()) } else { durable::write(draft, path, bytes) };
    }
    // `with_extension` would remove the unique part of the name, so two shards could share a draft.
    let beside = draft.with_added_extension("draft");
    durable::write(&beside, draft, bytes)?;
    // A hard link fails if the path exists; a rename would replace the file.
    let linked = fs::hard_link(draft, path);
    let removed = durable::remove(draft);
    linked?;
    durable::sync_folder(path.parent().unwrap_or(path))?;
    removed
}
