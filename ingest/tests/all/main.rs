//! Tests of the crate from outside, in one program: it links once, and its tests run side by side.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, reason = "tests")]

mod answer;
mod bodies;
mod check;
mod damage;
mod ground_truth;
mod real;
mod real_part;
mod reasons;
mod reread;
mod site;
mod stores;
mod tables_of;
