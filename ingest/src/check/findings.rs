//! The result of a check.

use super::archives::SecondReading;
use folder::Failure;
use folder::failure::lower;

/// The result of a check.
#[derive(Debug, Default)]
pub struct Findings {
    /// All damage: to plan, ledger and parts, and files that belong to no part.
    pub damages: Vec<Failure>,
    /// What could not be read because of this process, which says nothing about the tables: too few open files, too
    /// little memory, no permission.
    pub unread: Vec<Failure>,
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
    /// Crawls without any derived table.
    pub crawls_without_derived: u64,
    /// The totals of the second reader; empty unless the archives are read again.
    pub second: SecondReading,
}

impl Findings {
    /// Moves failures to read that say nothing about a file from the damage to `unread`.
    pub(super) fn set_unread_apart(&mut self) {
        for failure in std::mem::take(&mut self.damages) {
            match failure.obstacle().map(|cause| lower(cause.to_owned())) {
                Some(cause) => self.unread.push(Failure { what: "file cannot be read", cause, ..failure }),
                None => self.damages.push(failure),
            }
        }
    }
}
