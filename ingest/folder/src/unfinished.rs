//! Whether the tables of a folder are those of all its archives.

use crate::layout::Folder;
use crate::ledger::LedgerEntry;
use crate::regular;
use crate::stamp::Stamp;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the plan says of a part, as far as it is needed here.
#[derive(Deserialize)]
struct PlannedPart {
    part: u32,
    inputs: Vec<PlannedStamp>,
}

#[derive(Deserialize, PartialEq)]
struct PlannedStamp {
    stamp: Option<Stamp>,
}

/// How many parts of the plan the ledger does not have, or has of archives as they were before, because an ingest was
/// stopped or still runs. None in a copy of the tables without a plan or a ledger, if the plan cannot be read, which
/// `check` reports, and for a task of one crawl.
#[must_use]
pub fn parts_left(folder: &Folder, entries: &BTreeMap<u32, LedgerEntry>) -> usize {
    if folder.crawl().is_some() || entries.is_empty() {
        return 0;
    }
    let plan = regular::read_below(&folder.plan()).unwrap_or_default();
    // Other lines are about the whole plan.
    let parts = plan.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<PlannedPart>(line).ok());
    let is_left = |part: &PlannedPart| {
        let planned = part.inputs.iter().map(|input| input.stamp);
        entries.get(&part.part).is_none_or(|entry| !planned.eq(entry.inputs.iter().map(|read| read.stamp)))
    };
    parts.filter(is_left).count()
}
