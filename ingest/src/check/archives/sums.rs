//! What the second reader made of archives, in sum.

use crate::reread::{Comparison, FirstPlaces};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the second reader made of archives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecondReading {
    /// Archives that it has read.
    pub archives: u64,
    /// Records that are for it what they are for the first reader.
    pub agreed: u64,
    /// What it cannot read, or is not given, by the name of what keeps it from that.
    pub unreadable: BTreeMap<&'static str, Unreadable>,
}

/// What the second reader cannot read for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// How many records.
    pub count: u64,
    /// The archive of the first.
    pub path: PathBuf,
    /// Where it stands there.
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
        // Larger than either reader takes, which the tables tell as well.
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

    /// Adds those of archives that come later.
    pub(in crate::check) fn add(&mut self, others: SecondReading) {
        self.archives += others.archives;
        self.agreed += others.agreed;
        for (name, Unreadable { count, path, offset }) in others.unreadable {
            self.unreadable(name, count, &path, Some(offset));
        }
    }
}
