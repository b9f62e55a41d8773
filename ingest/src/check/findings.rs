//! The result of a check.

use super::archives::SecondReading;
use folder::Failure;

/// The result of a check.
#[derive(Debug, Default)]
pub struct Findings {
    /// All damage: to plan, ledger and parts, and files that belong to no part.
    pub damages: Vec<Failure>,
    /// Whether the check was stopped before all files were checked.
    pub is_stopped: bool,
    /// Parts that were checked.
    pub parts: u64,
    /// Parts that were not checked because the check was stopped.
    pub parts_left: u64,
    /// Files that agree with the ledger.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Captures in them.
    pub captures: u64,
    /// The totals of the second reader; empty unless the archives are read again.
    pub second: SecondReading,
}
