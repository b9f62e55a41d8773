//! Size and modification time of a file, to notice that it has changed.

use serde::{Deserialize, Serialize};
use std::fs;

/// Size and modification time of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was modified, in nanoseconds since 1970.
    pub modified_ns: i64,
}

impl Stamp {
    /// How a file differs from what it was before, when something was done with it: `read`.
    #[must_use]
    pub fn change_since(self, before: Self, done: &str) -> String {
        match self.bytes == before.bytes {
            true => format!("its modification time has changed since it was {done}"),
            false => format!("it has {} bytes and had {} when it was {done}", self.bytes, before.bytes),
        }
    }

    /// The stamp of a file, from its metadata.
    #[must_use]
    pub fn read(found: &fs::Metadata) -> Self {
        let since = |time: std::time::SystemTime| match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before),
        };
        Stamp { bytes: found.len(), modified_ns: found.modified().map_or(0, since) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn times_before_1970_are_negative() {
        let path = std::env::temp_dir().join(format!("robocensus-stamp-{}", std::process::id()));
        let file = fs::File::create(&path).unwrap();
        for (modified, expected) in
            [(UNIX_EPOCH + Duration::from_secs(2), 2), (UNIX_EPOCH - Duration::from_secs(2), -2)]
        {
            file.set_modified(modified).unwrap();
            let found = Stamp::read(&fs::metadata(&path).unwrap());
            assert_eq!(found, Stamp { bytes: 0, modified_ns: expected * 1_000_000_000 });
        }
        fs::remove_file(path).unwrap();
    }
}
