//! How many records the second reader could read.

use crate::reread::{Comparison, FirstPlaces};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many records the second reader could read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecondReading {
    /// Archives that it read.
    pub archives: u64,
    /// Records on which both readers agree.
    pub agreed: u64,
    /// Records that it cannot read or does not get, by the name of the obstacle.
    pub unreadable: BTreeMap<&'static str, Unreadable>,
}

/// Records that the second reader cannot read, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// How many records.
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
        for (obstacle, FirstPlaces { count, first }) in &comparison.unreadable {
            self.unreadable(obstacle.name(), *count, path, first.first().map(|place| place.offset));
        }
        // These are too large for both readers. `skips` counts them too.
        for damage in &comparison.uncompared.first {
            self.unreadable(damage.cause.name(), 1, path, Some(damage.offset));
        }
        let FirstPlaces { count, first } = &comparison.uncompared;
        if let Some(damage) = first.last() {
            self.unreadable(damage.cause.name(), count - first.len() as u64, path, None);
        }
    }

    fn unreadable(&mut self, name: &'static str, count: u64, path: &Path, offset: Option<u64>) {
        let fresh = || Unreadable { count: 0, path: path.to_path_buf(), offset: offset.unwrap_or_default() };
        self.unreadable.entry(name).or_insert_with(fresh).count += count;
    }

    /// Adds the sums of later archives.
    pub(in crate::check) fn add(&mut self, others: SecondReading) {
        self.archives += others.archives;
        self.agreed += others.agreed;
        for (name, Unreadable { count, path, offset }) in others.unreadable {
            self.unreadable(name, count, &path, Some(offset));
        }
    }
}
