//! The data dictionary, as Markdown.

use crate::declare::{Column, Table};
use crate::keys::{KEYS, REFERENCES, Reference};
use crate::{PARTITION, derived, tables};
use arrow_schema::DataType;
use std::fmt::Write as _;

/// Every column of every table, with its type and meaning.
#[must_use]
pub fn dictionary() -> String {
    let mut text = String::from(
        "# Data dictionary\n\nThis page has every column of every table. It is generated from the declarations in `ingest/tables`. A table is a folder of \
         Parquet files, `TABLE/crawl=CRAWL/part-NNNNN.parquet`, compressed with zstd. Text is UTF-8, times are in UTC with \
         milliseconds, and no number is unsigned. Columns with a name from Common Crawl's columnar index have the same meaning, \
         except `content_charset`, which the index detects. `warc_filename` and `warc_record_offset` join a row with one of the index.\n\nEach file states the meaning of its rows and columns as key-value \
         metadata. In DuckDB, `SELECT decode(key), decode(value) FROM parquet_kv_metadata('captures/*/*.parquet')` lists it.\n",
    );
    for table in tables() {
        section(&mut text, &table);
    }
    text.push_str(
        "\n# Derived tables\n\n`robocensus models` makes these tables from those above: `sites` by following redirects, the others with the SQL in `queries/models`. Their files are beside the \
         others, one per crawl.\n",
    );
    for table in derived() {
        section(&mut text, &table);
    }
    text.push_str(
        "\n# What joins with what\n\nEach join is by `crawl` and by the columns below. A null refers to no row. A column of \
         ids that may be null, such as `captures.body_id`, is a bigint in all engines; pandas makes it a float unless you ask for \
         nullable types ([asking.md](../docs/asking.md#in-pandas)).\n\n| from | columns | to | columns | gives |\n|---|---|---|---|---|\n",
    );
    for Reference { from, columns, to, to_columns, gives } in &REFERENCES {
        let _ = writeln!(text, "| {from} | {} | {to} | {} | {gives} |", listed(columns), listed(to_columns));
    }
    text
}

/// Names of columns, with commas between them.
fn listed(columns: &[&str]) -> String {
    columns.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ")
}

fn section(text: &mut String, table: &Table) {
    let Table { name, grain, columns } = table;
    let lead = format!(
        "\n## {name}\n\n{}{}.\n\n",
        grain.get(..1).unwrap_or_default().to_uppercase(),
        grain.get(1..).unwrap_or_default()
    );
    text.push_str(&lead);
    if let Some((_, key)) = KEYS.iter().find(|(table, _)| table == name) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Key: `{}`, {}.\n", PARTITION.name, listed(key));
    }
    text.push_str("| column | type | null | meaning |\n|---|---|---|---|\n");
    for column in columns.iter().chain([&PARTITION]) {
        let Column { name, data_type, is_nullable, .. } = column;
        let null = if *is_nullable { "yes" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {} | {null} | {} |", name_of(data_type), column.meaning());
    }
}

/// The name that a type has in SQL.
fn name_of(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Utf8 => "text",
        DataType::Boolean => "boolean",
        DataType::Int32 => "int",
        DataType::Int64 => "bigint",
        DataType::Float64 => "double",
        DataType::Timestamp(..) => "timestamp",
        _ => "another type",
    }
}
