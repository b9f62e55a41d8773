//! How many records the second reader could read.

use crate::reread::{Comparison, CountAndFirst};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many records the second reader could read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecondReading {
    /// Archives that it read.
    pub archives: u64,
    /// Records on which both readers agree.
    pub agreed: u64,
    /// Records that it cannot read and damage that it does not get, by the name of the obstacle or cause.
    pub unreadable: BTreeMap<&'static str, Unreadable>,
}

/// What the second reader cannot read, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// How many.
    pub count: u64,
    /// The archive of the first.
    pub path: PathBuf,
    /// The offset of the first.
    pub offset: u64,
}

impl SecondReading {
    /// Adds an archive.
    pub(super) fn take(&mut self, comparison: &Comparison, path: &Path) {
        self.archives += 1;
        self.agreed += comparison.agreed;
        let unreadable = comparison.unreadable.iter().map(|(obstacle, places)| (obstacle.name(), places));
        // `skips` counts these too.
        let uncompared = comparison.uncompared.iter().map(|(cause, places)| (cause.name(), places));
        for (name, CountAndFirst { count, first }) in unreadable.chain(uncompared) {
            self.unreadable(name, *count, path, first.offset);
        }
    }

    fn unreadable(&mut self, name: &'static str, count: u64, path: &Path, offset: u64) {
        let fresh = || Unreadable { count: 0, path: path.to_path_buf(), offset };
        self.unreadable.entry(name).or_insert_with(fresh).count += count;
    }

    /// Adds the sums of later archives.
    pub(in crate::check) fn add(&mut self, others: SecondReading) {
        self.archives += others.archives;
        self.agreed += others.agreed;
        for (name, Unreadable { count, path, offset }) in others.unreadable {
            self.unreadable(name, count, &path, offset);
        }
    }
}
