//! Archives in, tables out.
//!
//! The way of a byte through this crate, one module a step: what the user named becomes a list of archives ([`inputs`]);
//! an archive becomes members and records ([`archive`]); a record's block becomes an answer with a status and a decoded
//! body ([`answer`]), and its target the parts of a URL ([`site`]); the body, parsed by the crate `robots`, becomes rows
//! ([`rows`]), and the rows of some archives a part of the tables ([`part`]). A [`run`] makes all parts of a plan, and a
//! [`check`] proves that what lies there is what they made.
//!
//! Beside that way, [`reread`] reads archives with a reader that this project did not write, and compares; a [`check`]
//! may lay the tables beside what that finds.
//!
//! What holds here:
//!
//! - It knows no query engine. The folder of tables is all that it and `analyze` share, and neither depends on the
//!   other; both stand on `robots` and `tables`.
//! - Nothing is dropped in silence: each record that was read becomes a row of `captures` or adds one to `skips` under
//!   a reason that has a name, so that read = kept + skipped.
//! - A damaged member costs itself and no other member.
//! - One list of inputs gives one set of tables, byte for byte, whatever the number of threads and however often the
//!   run was interrupted.
//! - No step turns back: archive, member, record, HTTP head, body, lines, rows, part.

pub mod answer;
pub mod archive;
pub mod capture;
pub mod check;
pub mod inputs;
mod number;
pub mod part;
pub mod plan;
pub mod progress;
pub mod reasons;
pub mod reread;
pub mod rows;
pub mod run;
pub mod site;
mod source;
mod tally;
