//! Every column of every table, declared once.
//!
//! A table is one declaration: each column with its name, its type, whether it may be null, and its description. The
//! row type, the batch, the schema and storage of the file, and the data dictionary are derived from it.
//!
//! Invariants:
//!
//! - A column's name occurs in this crate and in SQL only. A test compares the data dictionary with the declarations.
//! - The declaration of a column lists the words that can occur in it. They come from the crate `robots` if that crate
//!   decides them. A debug build refuses to write any other word.
//! - It depends on Arrow, Parquet and the words of `robots`: on no archive, query engine or rule of robots.txt.
//! - Columns have only types that all common readers of Parquet support: no unsigned integers, times in UTC
//!   milliseconds, text in UTF-8.

mod all;
mod batches;
pub mod bodies;
pub mod body_classes;
pub mod captures;
pub mod class_verdicts;
mod declare;
mod dictionary;
pub mod groups;
pub mod inputs;
pub mod keys;
pub mod kind;
pub mod policies;
pub mod preferences;
pub mod records;
mod rows;
pub mod rules;
pub mod sites;
pub mod skips;
mod storage;
pub mod tracked_agents;
pub mod violations;

pub use all::{PARTITION, all, derived, tables};
pub use batches::{BatchFile, write_cause};
pub use declare::{Column, Rows, Table};
pub use dictionary::dictionary;
pub use parquet::errors::ParquetError;
pub use rows::{BatchSink, RowWriter};
pub use storage::{Index, MADE_BY, Storage, compression};
