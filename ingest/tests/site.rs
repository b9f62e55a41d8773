//! The parts of targets: case by case, for any bytes, and for all targets of the corpus.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

#[path = "site/cases.rs"]
mod cases;
#[path = "site/corpus.rs"]
mod corpus;
#[path = "site/properties.rs"]
mod properties;
#[path = "real/corpus.rs"]
mod real;
