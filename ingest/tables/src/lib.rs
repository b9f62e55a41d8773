//! Every column of every table, declared once.
//!
//! A table is one declaration: each column with its name, its type, whether it may be null, and the sentence that
//! describes it. The row that ingest fills, the batch that it is written from, the schema of the file, how it is laid
//! down there, and the data dictionary come of that declaration.
//!
//! What holds here:
//!
//! - A column's name stands in this crate and in SQL, nowhere else. The data dictionary is made from it, and a test
//!   compares the two.
//! - The words that a column can hold stand in its declaration: those of the crate `robots` where that crate decides
//!   them. A debug build refuses to write any other word.
//! - It needs Arrow, Parquet and the words of `robots`: no archive, no query engine, no rule of robots.txt.
//! - Only types that all the usual readers of Parquet agree on: no unsigned integers, times in UTC milliseconds, text
//!   in UTF-8.

mod batches;
pub mod bodies;
pub mod captures;
pub mod class_verdicts;
mod declare;
mod dictionary;
mod file;
pub mod groups;
pub mod inputs;
pub mod kind;
pub mod policies;
pub mod records;
pub mod rules;
pub mod site_classes;
pub mod sites;
pub mod skips;
mod storage;
pub mod tracked_agents;
pub mod violations;

pub use batches::Batches;
pub use declare::{Column, DESCRIPTION, Rows, Table};
pub use dictionary::dictionary;
pub use file::{File, MADE_BY};
pub use parquet::errors::ParquetError;
pub use storage::{Index, Storage, compression};

/// All tables that are written from archives, in the order in which a part is read: captures lead to bodies, and bodies to all that hangs off them.
#[must_use]
pub fn tables() -> Vec<Table> {
    vec![
        captures::table(),
        bodies::table(),
        groups::table(),
        rules::table(),
        records::table(),
        violations::table(),
        policies::table(),
        skips::table(),
        inputs::table(),
    ]
}

/// The tables that are made from those, in an order in which each is made from what stands before it.
#[must_use]
pub fn derived() -> Vec<Table> {
    vec![sites::table(), tracked_agents::table(), site_classes::table(), class_verdicts::table()]
}

/// The column by which the files of every table are parted, `crawl=NAME`. It stands in their path and not in them.
pub const PARTITION: Column = Column {
    name: "crawl",
    data_type: arrow_schema::DataType::Utf8,
    is_nullable: false,
    description: "The crawl that the archive belongs to.",
    words: &[],
    storage: Storage::Repeated,
    is_ours: true,
    index: None,
};
