//! Output to a terminal: its colours, its width, and the part of a line that fits.
//!
//! Text from outside is only printed through [`Safe`].

pub(crate) mod palette;
pub(crate) mod screen;
pub(crate) mod window;

use folder::mounts;
use indicatif::HumanCount;
use std::path::Path;
pub(crate) use visible::{Safe, json};

/// How many user-agent lines of a group are printed. Some groups have hundreds.
pub(crate) const AGENT_LINES: usize = 8;

/// A path, safe to print. For a file in a store, its URL.
pub(crate) fn shown_path(path: &Path) -> String {
    Safe(mounts::shown(path).as_os_str().as_encoded_bytes()).to_string()
}

/// A number with its noun: `1 part`, `2 parts`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}
