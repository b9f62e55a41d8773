//! How far the derived tables are, and whether to stop.

use folder::Failure;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// How far the derived tables are.
#[derive(Debug, Default)]
pub struct ModelProgress {
    /// Rows to read from the tables that ingest wrote; 0 until that is known.
    pub rows_in_all: AtomicU64,
    /// Rows that were read.
    pub rows: AtomicU64,
    /// Tables to make, each once for each crawl.
    pub tables_in_all: AtomicU64,
    /// Tables that are up to date.
    pub tables: AtomicU64,
    /// The table that is being made.
    pub table: Mutex<String>,
}

impl ModelProgress {
    /// Plans a table that reads so many rows.
    pub(super) fn plan(&self, rows: u64) {
        self.rows_in_all.fetch_add(rows, Relaxed);
        self.tables_in_all.fetch_add(1, Relaxed);
    }

    pub(super) fn begin(&self, table: &str, crawl: &str) {
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = format!("{table} of {crawl}");
    }

    /// A planned table was up to date, so its rows need not be read.
    pub(super) fn skip(&self, rows: u64) {
        self.rows_in_all.fetch_sub(rows, Relaxed);
        self.tables.fetch_add(1, Relaxed);
    }

    /// A planned table is made. `rows_before` were read before it.
    pub(super) fn finish(&self, rows_before: u64, rows: u64) {
        self.rows.store(rows_before + rows, Relaxed);
        self.tables.fetch_add(1, Relaxed);
    }
}

/// Why a table is not made.
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

/// Counts the rows that are read, until Ctrl-C.
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
