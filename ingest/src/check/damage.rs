//! Turns damage into failures: one for each kind of damage in a file.

use folder::Failure;
use std::path::Path;

/// Why a file was not read to its end.
#[derive(Debug)]
pub(super) enum CheckError {
    /// The check was stopped.
    Stopped,
    /// The file is damaged; the rest is not read.
    Damaged(Failure),
}

impl From<Failure> for CheckError {
    fn from(failure: Failure) -> Self {
        CheckError::Damaged(failure)
    }
}

/// Damage of one kind in one file. The first instance is described, the others are counted.
#[derive(Debug, Default)]
pub(super) struct DamageGroup {
    pub(super) count: u64,
    pub(super) first: String,
    /// The offset of the first in the file.
    pub(super) offset: Option<u64>,
}

impl DamageGroup {
    pub(super) fn add(&mut self, text: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = text();
        }
        self.count += 1;
    }

    /// Adds an instance at an offset in the file.
    pub(super) fn add_at(&mut self, offset: u64, text: impl FnOnce() -> String) {
        if self.count == 0 {
            self.offset = Some(offset);
        }
        self.add(text);
    }

    pub(super) fn report(self, what: &'static str, path: &Path, damages: &mut Vec<Failure>) {
        let DamageGroup { count, first, offset } = self;
        let failure = match count {
            0 => return,
            1 => Failure::new(what, path, first),
            _ => Failure::new(what, path, format_args!("{first}; and {} more", count - 1)),
        };
        damages.push(Failure { offset, ..failure });
    }
}
