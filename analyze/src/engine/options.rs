//! Options of a session.

use folder::failure::ANOTHER_FOLDER;
use folder::{Failure, regular};
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How a folder of tables is opened.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// The number of threads for one statement.
    pub jobs: NonZeroUsize,
    /// About how many bytes of memory statements may use before they spill to disk or fail.
    pub memory_bytes: usize,
    /// The folder to spill to.
    pub spill: PathBuf,
    /// Files of the user that become tables.
    pub own: Vec<OwnTable>,
    /// A list of agents that replaces the built-in one.
    pub agents: Option<PathBuf>,
    /// The actions that statements may take.
    pub access: Permission,
    /// Whether all sorts and all joins with equal columns spill to disk if memory is full. This takes longer.
    pub spills_all: bool,
    /// Whether the first table of each join is the one that is kept in memory. Otherwise it is the smaller one, as far as
    /// DataFusion can estimate that.
    pub keeps_join_order: bool,
    /// How many rows a batch has at most; `None` for DataFusion's default.
    pub most_batch_rows: Option<NonZeroUsize>,
    /// The rows of views with these names are computed once for all statements that write them as steps of `WITH`. The
    /// tables that they read must not change meanwhile.
    pub kept_views: &'static [&'static str],
    /// The only crawl to read; `None` for all crawls.
    pub crawl: Option<String>,
    /// The only crawls whose rows matter to answers; empty for all crawls. The derived tables of other crawls may be
    /// missing or out of date.
    pub asked_crawls: Vec<String>,
}

/// A file of the user that becomes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTable {
    /// The name of the table.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// The actions that statements may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Only read.
    ReadOnly,
    /// Create tables and views for the session, change settings, and copy to files.
    ReadWrite,
}

/// 2 GiB, which a laptop can spare.
const MEMORY_BYTES: usize = 2 << 30;

/// Not all commands have this option. It is the other way to choose a folder for temporary files.
const AS_DOES_SPILL: &str = "as does --spill of query, sql, report and models";

impl SessionOptions {
    /// Fails if the folder to spill to cannot be read, or is below the folder of `tables`, which may not exist yet.
    pub fn check_spill(&self, tables: &Path) -> Result<(), Failure> {
        // Otherwise DataFusion would create a missing folder.
        std::fs::read_dir(&self.spill)
            .map_err(|error| self.spill_failure("folder for temporary files cannot be read", error, ANOTHER_FOLDER))?;
        regular::refuse_below(&self.spill, tables).map_err(|_| {
            let cause = "it is below the folder of tables";
            self.spill_failure("folder for temporary files is refused", cause, ANOTHER_FOLDER)
        })
    }

    /// A failure at the folder to spill to, with the ways to choose another.
    pub(super) fn spill_failure(&self, what: &'static str, cause: impl Display, advice: &str) -> Failure {
        Failure::new(what, &self.spill, format_args!("{cause}; {advice}, {AS_DOES_SPILL}"))
    }

    /// Fails if a path is below the folder of `tables`, or leads to a file of the user that the session reads.
    pub(super) fn refuse_to_write(&self, path: &Path, tables: &Path) -> Result<(), Failure> {
        let inputs = self.own.iter().map(|own| &own.path).chain(&self.agents).map(PathBuf::as_path);
        regular::refuse_below(path, tables).and_then(|()| regular::refuse_input(path, inputs))
    }
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory_bytes: MEMORY_BYTES,
            spill: std::env::temp_dir(),
            own: Vec::new(),
            agents: None,
            access: Permission::ReadOnly,
            spills_all: false,
            keeps_join_order: false,
            most_batch_rows: None,
            kept_views: &[],
            crawl: None,
            asked_crawls: Vec::new(),
        }
    }
}
