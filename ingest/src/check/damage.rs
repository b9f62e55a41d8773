//! Damage as failures: few, however much damage there is.

use folder::Failure;
use std::path::Path;

/// Why a file was not read to its end.
#[derive(Debug)]
pub(super) enum Broken {
    /// The check is to stop.
    Stopped,
    /// The file is damaged; its rest is not read.
    Damaged(Failure),
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Broken::Damaged(failure)
    }
}

/// Damage of one kind in one file: the first is described, the others are counted.
#[derive(Debug, Default)]
pub(super) struct Several {
    count: u64,
    first: String,
    /// Where in the file the first is.
    offset: Option<u64>,
}

impl Several {
    pub(super) fn add(&mut self, text: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = text();
        }
        self.count += 1;
    }

    /// Adds one at an offset in the file.
    pub(super) fn add_at(&mut self, offset: u64, text: impl FnOnce() -> String) {
        if self.count == 0 {
            self.offset = Some(offset);
        }
        self.add(text);
    }

    /// Adds some that are only counted.
    pub(super) fn add_more(&mut self, count: u64) {
        self.count += count;
    }

    pub(super) fn tell(self, what: &'static str, path: &Path, damages: &mut Vec<Failure>) {
        let Several { count, first, offset } = self;
        let failure = match count {
            0 => return,
            1 => Failure::new(what, path, first),
            _ => Failure::new(what, path, format_args!("{first}; and {} more", count - 1)),
        };
        damages.push(Failure { offset, ..failure });
    }
}
