//! The list of all tables, and the column that all have.

use crate::declare::{Column, Table};
use crate::storage::Storage;
use crate::{
    bodies, body_classes, captures, class_verdicts, groups, inputs, policies, preferences, records, rules, sites,
    skips, tracked_agents, violations,
};

/// The tables that ingest writes: captures, bodies, and the tables that refer to them.
#[must_use]
pub fn tables() -> Vec<Table> {
    vec![
        captures::table(),
        bodies::table(),
        groups::table(),
        rules::table(),
        records::table(),
        preferences::table(),
        violations::table(),
        policies::table(),
        skips::table(),
        inputs::table(),
    ]
}

/// The derived tables. Each is made from tables before it.
#[must_use]
pub fn derived() -> Vec<Table> {
    vec![tracked_agents::table(), body_classes::table(), sites::table(), class_verdicts::table()]
}

/// All tables that a folder can have, each after those that it is made from.
#[must_use]
pub fn all() -> Vec<Table> {
    let mut all = tables();
    all.extend(derived());
    all
}

/// The partition column of every table, `crawl=NAME`. It is in the path of a file and not in the file.
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
