//! Size and modification time of a file, to notice that it has changed.

use serde::{Deserialize, Serialize};
use std::fs;

/// Size and modification time of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was modified, in nanoseconds since 1970.
    pub modified_ns: i64,
}

impl Stamp {
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
