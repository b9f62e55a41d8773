//! Archives in, tables out.
//!
//! Each module is a step. The user's arguments become a list of archives ([`inputs`]). An archive becomes members and
//! records ([`archive`]). A record's block becomes an HTTP response with a status and a decoded body ([`answer`]), and
//! its target becomes the parts of a URL ([`site`]). The body, parsed by the crate `robots`, becomes rows ([`rows`]).
//! The rows of some archives become a part of the tables ([`part`]). A [`run`] makes all parts of a plan, and a
//! [`check`] verifies them.
//!
//! [`reread`] reads archives with a reader that this project did not write, and compares both readers. A [`check`] can
//! compare the tables with it.
//!
//! Invariants:
//!
//! - It has no query engine. It shares the folder of tables with `analyze`, and neither depends on the other; both depend
//!   on `folder`, `hosts`, `robots` and `tables`.
//! - Nothing is dropped silently: each record becomes a row of `captures`, or `skips` counts it under a named reason. So
//!   records = captures + skipped.
//! - A damaged member does not affect other members.
//! - One list of inputs gives one set of tables, byte for byte, whatever the number of threads and however often the
//!   run was interrupted.
//! - No step turns back: archive, member, record, HTTP head, body, lines, rows, part.

pub mod answer;
pub mod archive;
pub mod capture;
pub mod check;
mod fold;
pub mod inputs;
mod number;
mod panics;
pub mod part;
pub mod plan;
pub mod progress;
pub mod reasons;
pub mod reread;
pub mod rows;
pub mod run;
mod secret_digest;
pub mod site;
mod source;
mod tally;
