//! Paths and patterns: the form in which they are compared, and the comparison.

pub(crate) mod glob;
pub(crate) mod normal;
