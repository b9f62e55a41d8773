//! The script for Trino with the Hive connector: tables of its metastore that refer to the files of the folder.

use super::cataloged::CatalogTable;
use super::columns::{comment, listed};
use super::shared_views::{SharedView, lists_and_views};
use crate::catalog::dimension::sql_type;
use crate::engine::options::SessionOptions;
use crate::quoted::literal;
use datafusion::arrow::datatypes::DataType;
use folder::Failure;
use std::fmt::Write as _;
use tables::PARTITION;

pub(super) fn script(
    tables: &[CatalogTable],
    location: &str,
    schema: &str,
    options: &SessionOptions,
) -> Result<String, Failure> {
    let qualified = |name: &str| format!("\"{schema}\".\"{name}\"");
    // Trino accepts only URLs as locations.
    let location = if location.starts_with('/') { format!("file://{location}") } else { location.to_owned() };
    let mut text = format!(
        "-- The tables of robocensus in Trino, with a catalog of the Hive connector: trino --catalog hive --file FILE\n\
         -- The tables refer to the files of the folder. Run this script again to find new crawls.\n\
         CREATE SCHEMA IF NOT EXISTS \"{schema}\";\n"
    );
    for cataloged in tables {
        let name = cataloged.table.name;
        let columns = listed(cataloged.columns(), |column| {
            let (name, comment) = (column.name, literal(&comment(column)));
            format!("\"{name}\" {} COMMENT {comment}", type_name(&column.data_type))
        });
        let (table, grain) = (qualified(name), literal(cataloged.table.grain));
        let files = literal(&format!("{location}/{name}/"));
        let _ = writeln!(
            text,
            "\nCREATE TABLE IF NOT EXISTS {table} (\n{columns}\n)\nCOMMENT {grain}\nWITH (\n  \
             external_location = {files},\n  format = 'PARQUET',\n  partitioned_by = ARRAY['{}']\n);\n\
             CALL system.sync_partition_metadata(schema_name => '{schema}', table_name => '{name}', mode => 'ADD');",
            PARTITION.name
        );
    }
    for SharedView { name, grain, select } in lists_and_views(tables, options, Some(&qualified))? {
        let (view, grain) = (qualified(&name), literal(&grain));
        let _ = writeln!(text, "\nCREATE OR REPLACE VIEW {view} COMMENT {grain} AS\n{select};");
    }
    Ok(text)
}

fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        // The Hive connector has no type for times with a zone. The values are in UTC.
        DataType::Timestamp(..) => "timestamp(3)",
        other => sql_type(other),
    }
}
