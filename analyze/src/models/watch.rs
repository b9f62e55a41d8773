//! The progress of making derived tables, and whether to stop.

use folder::Failure;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The progress of making derived tables.
#[derive(Debug, Default)]
pub struct ModelProgress {
    /// Rows to read from the tables that ingest wrote; 0 until that is known.
    pub rows_in_all: AtomicU64,
    /// Rows read so far.
    pub rows: AtomicU64,
    /// Tables to make, counted once per crawl.
    pub tables_in_all: AtomicU64,
    /// Tables that are up to date.
    pub tables: AtomicU64,
    /// Tables that were made again with sorts and joins that all spill, because there was too little memory.
    pub made_again: AtomicU64,
    /// The table that is being made.
    pub table: Mutex<String>,
}

impl ModelProgress {
    /// Adds a table to make, which reads this many rows.
    pub(super) fn plan(&self, rows: u64) {
        self.rows_in_all.fetch_add(rows, Relaxed);
        self.tables_in_all.fetch_add(1, Relaxed);
    }

    pub(super) fn begin(&self, table: &str, crawl: &str) {
        *self.table.lock() = format!("{table} of {crawl}");
    }

    /// Marks a planned table as up to date, so that its rows are not read.
    pub(super) fn skip(&self, rows: u64) {
        self.rows_in_all.fetch_sub(rows, Relaxed);
        self.tables.fetch_add(1, Relaxed);
    }

    /// Marks a planned table as made. `rows_before` is the number of rows read before it.
    pub(super) fn finish(&self, rows_before: u64, rows: u64) {
        debug_assert!(self.rows.load(Relaxed) <= rows_before + rows, "the bar would go back");
        self.rows.store(rows_before + rows, Relaxed);
        self.tables.fetch_add(1, Relaxed);
    }
}

/// Why a table was not made.
#[derive(Debug)]
pub(super) enum Halt {
    Stopped,
    Failed(Failure),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Halt::Failed(failure)
    }
}

/// Counts the rows that are read, and stops at Ctrl-C.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch<'w> {
    pub(super) progress: &'w ModelProgress,
    pub(super) stop: &'w AtomicBool,
}

impl Watch<'_> {
    /// Fails at Ctrl-C.
    pub(super) fn check(&self) -> Result<(), Halt> {
        if self.stop.load(Relaxed) { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Counts rows that were read. Fails at Ctrl-C.
    pub(super) fn read(&self, rows: usize) -> Result<(), Halt> {
        self.progress.rows.fetch_add(rows as u64, Relaxed);
        self.check()
    }
}
