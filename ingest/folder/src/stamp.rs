//! What tells a file from what it was before.

use serde::{Deserialize, Serialize};
use std::fs;

/// What tells a file from what it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size.
    pub bytes: u64,
    /// When it was changed, in nanoseconds since 1970.
    pub modified_ns: i64,
}

impl Stamp {
    /// That of a file.
    #[must_use]
    pub fn read(found: &fs::Metadata) -> Self {
        let since = |time: std::time::SystemTime| match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before),
        };
        Stamp { bytes: found.len(), modified_ns: found.modified().map_or(0, since) }
    }
}
