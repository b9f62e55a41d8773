//! Whether the tables of a folder are those of all its archives.

use crate::layout::Folder;
use crate::ledger::LedgerEntry;
use crate::regular;
use std::collections::BTreeMap;

/// How many parts of the plan the ledger does not have, because an ingest was stopped or still runs. None in a copy of
/// the tables without a plan or a ledger, if the plan cannot be read, which `check` reports, and for a task of one crawl.
///
/// The plan has a line for its settings, and one for each part.
#[must_use]
pub fn parts_left(folder: &Folder, entries: &BTreeMap<u32, LedgerEntry>) -> usize {
    if folder.crawl().is_some() || entries.is_empty() {
        return 0;
    }
    let plan = regular::read_below(&folder.plan()).unwrap_or_default();
    let parts = plan.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
    parts.saturating_sub(entries.len())
}
