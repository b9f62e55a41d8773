//! The requirements of RFC 9309, one row for each time that it says MUST, MUST NOT, SHOULD, SHOULD NOT or MAY.

use super::case::{folder, read};
use serde::Deserialize;

/// One requirement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requirement {
    pub(crate) id: String,
    pub(crate) section: String,
    /// The key word; `statement` if the text decides something without one, `advice` for § 3, which writes such
    /// words in lower case.
    pub(crate) level: String,
    pub(crate) text: String,
    /// The cases that prove it.
    #[serde(default)]
    pub(crate) cases: Vec<String>,
    /// Why there is no case.
    pub(crate) none: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirements {
    requirement: Vec<Requirement>,
}

/// All requirements, in the order of the standard.
pub(crate) fn requirements() -> Vec<Requirement> {
    read::<Requirements>(&folder().join("requirements.toml")).requirement
}
