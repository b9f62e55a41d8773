//! Tables in, answers out.
//!
//! This crate will open a folder of tables with DataFusion, add the functions that SQL needs to speak of robots.txt,
//! build the derived tables, and run the named questions and checks of `queries/`.
//!
//! What holds here:
//!
//! - It never opens an archive. The folder of tables is all that it and `ingest` share, and neither depends on the
//!   other; both stand on `robots` and `tables`.
//! - Rust decides and SQL counts: choosing a group, finding the longest match and comparing percent-encoded paths are
//!   done by `robots`. SQL calls them as functions and says none of it again.
//! - Every figure comes from a query that is a file of its own; a report or a notebook draws it and computes nothing.
