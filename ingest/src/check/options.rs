//! The options of a check.

use std::num::NonZeroUsize;

/// The options of a check.
#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// How many parts to check at a time.
    pub jobs: NonZeroUsize,
    /// Whether to compare digests.
    pub digests: Digests,
    /// Whether to read the archives again.
    pub archives: Archives,
}

/// Whether a check compares the digests of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digests {
    /// It compares them. This reads all bytes and finds every flipped bit.
    Compare,
    /// It does not compare them. This reads only the columns that other checks need.
    PassOver,
}

/// Whether a check reads the archives again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archives {
    /// The second reader reads each archive of the tables, and the check compares it with the rows.
    Reread,
    /// The archives need not exist.
    PassOver,
}
