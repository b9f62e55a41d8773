//! The built sample.

use super::source::{SampleSource, What};
use crate::list::lists;

/// All archives of the sample, in the order of their sources.
#[derive(Debug)]
pub struct Sample {
    /// The archives.
    pub archives: Vec<Archive>,
}

/// An archive of the sample.
#[derive(Debug)]
pub struct Archive {
    /// The name of its source.
    pub name: String,
    /// Its source.
    pub source: SampleSource,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Sample {
    /// The number of records, damaged ones included.
    #[must_use]
    pub fn records(&self) -> usize {
        let entries = self.archives.iter().flat_map(|archive| &archive.source.record);
        entries.filter(|entry| matches!(entry.what, What::Record)).count()
    }

    /// The bytes of all archives.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.archives.iter().map(|archive| archive.bytes.len()).sum()
    }

    /// All built files with their paths: archives, and lists of archives.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let archives = self.archives.iter().map(|archive| (archive.source.archive.clone(), archive.bytes.clone()));
        let paths = self.archives.iter().map(|archive| archive.source.archive.as_str());
        archives.chain(lists(paths)).collect()
    }
}
