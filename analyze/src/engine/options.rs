//! How a folder is opened.

use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How a folder is opened.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// How many threads work at a statement.
    pub jobs: NonZeroUsize,
    /// About how much memory statements may take before they spill to disk, or fail.
    pub memory_bytes: usize,
    /// The folder that they spill to.
    pub spill: PathBuf,
    /// The user's own tables.
    pub own: Vec<OwnTable>,
    /// A list of agents in place of the one that comes with the program.
    pub agents: Option<PathBuf>,
    /// What statements may do.
    pub access: Permission,
    /// How tables are joined.
    pub joins: Joins,
}

/// A file of the user's that becomes a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTable {
    /// The name of the table.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// How tables are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joins {
    /// By a hash table of one side, which has to fit into memory.
    #[default]
    Hashed,
    /// By sorting both sides, which takes longer, and spills where memory does not suffice.
    Sorted,
}

/// What statements may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Only read.
    ReadOnly,
    /// Make tables and views for the session, change settings, and copy to files.
    ReadWrite,
}

/// A laptop can spare this.
const MEMORY_BYTES: usize = 2 << 30;

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory_bytes: MEMORY_BYTES,
            spill: std::env::temp_dir(),
            own: Vec::new(),
            agents: None,
            access: Permission::ReadOnly,
            joins: Joins::default(),
        }
    }
}
