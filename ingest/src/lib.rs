//! Archives in, tables out.
//!
//! This crate will read the WARC files of a crawl, find every answer to `/robots.txt` in them, have the `robots` crate
//! parse its body, and write the rows that come of it as Parquet, one part after another.
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

pub mod archive;
