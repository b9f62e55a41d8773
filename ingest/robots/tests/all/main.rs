//! Tests of the crate from outside, in one program: it links once, and its tests run side by side.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

mod abnf;
mod conformance;
mod facts;
mod hostile;
mod limits;
mod pages;
mod properties;
mod question;
mod slow;
mod text;
mod vectors;
