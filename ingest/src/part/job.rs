//! State that all parts of a run share.

use super::destination::PartDestination;
use super::permits::Permits;
use crate::progress::Progress;
use crate::rows::KeepText;
use folder::ledger::LedgerEntry;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use stores::Stores;

/// State that all parts of a run share.
#[derive(Debug, Clone, Copy)]
pub struct PartJob<'j> {
    /// Where finished parts go.
    pub destination: PartDestination<'j>,
    /// The earlier versions of parts that are made again.
    pub earlier: &'j BTreeMap<u32, LedgerEntry>,
    /// Whether the text of bodies is kept.
    pub keep_text: KeepText,
    /// Counts that show how far the run is.
    pub progress: &'j Progress,
    /// Set to stop the run; unfinished parts are then dropped.
    pub stop: &'j AtomicBool,
    /// Where inputs with URLs come from.
    pub stores: &'j Stores,
    /// Limit how many threads work at a time.
    pub permits: &'j Permits,
    /// Limit how many large bodies are in memory at a time.
    pub large_bodies: &'j Permits,
}
