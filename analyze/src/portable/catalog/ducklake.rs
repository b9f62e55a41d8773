//! The script for DuckLake: tables of a lake that refer to the files of the folder.

use super::cataloged::CatalogTable;
use super::columns::listed;
use super::shared_views::{SharedView, lists_and_views};
use crate::catalog::dimension::sql_type;
use crate::engine::options::SessionOptions;
use crate::portable::engine::UTC;
use crate::portable::literal::without_patterns;
use crate::quoted::literal;
use datafusion::arrow::datatypes::DataType;
use folder::Failure;
use std::fmt::Write as _;
use tables::PARTITION;

/// The script. `name` is the name of the lake and, with the ending `.ducklake`, of its file.
pub(super) fn script(
    tables: &[CatalogTable],
    location: &str,
    name: &str,
    options: &SessionOptions,
) -> Result<String, Failure> {
    // In one transaction, so that a second run fails as a whole and adds no file twice.
    let mut text = format!(
        "-- The tables of robocensus in DuckLake: duckdb -bail -f FILE\n\
         -- The lake refers to the files of the folder and copies none. To add a crawl, delete {name}.ducklake\n\
         -- and run this script again. Attach the lake with (READ_ONLY): DuckLake treats the files as its own, and\n\
         -- may delete them when it merges or cleans up files.\n\
         {UTC}ATTACH 'ducklake:{name}.ducklake' AS {name};\nUSE {name};\nBEGIN TRANSACTION;\n"
    );
    for cataloged in tables {
        let table = cataloged.table.name;
        let columns = listed(cataloged.columns(), |column| format!("{} {}", column.name, type_name(&column.data_type)));
        let files = literal(&format!("{}/{table}/*/*.parquet", without_patterns(location)));
        let _ = writeln!(text, "\nCREATE TABLE {table} (\n{columns}\n);");
        let _ = writeln!(text, "ALTER TABLE {table} SET PARTITIONED BY ({});", PARTITION.name);
        let _ =
            writeln!(text, "CALL ducklake_add_data_files('{name}', '{table}', {files}, hive_partitioning => true);");
        let _ = writeln!(text, "COMMENT ON TABLE {table} IS {};", literal(cataloged.table.grain));
        for column in cataloged.columns() {
            let _ = writeln!(text, "COMMENT ON COLUMN {table}.{} IS {};", column.name, literal(&column.meaning()));
        }
    }
    for SharedView { name, grain, select } in lists_and_views(tables, options, None)? {
        let _ = writeln!(text, "\nCREATE VIEW {name} AS\n{select};");
        let _ = writeln!(text, "COMMENT ON VIEW {name} IS {};", literal(&grain));
    }
    text.push_str("\nCOMMIT;\n");
    Ok(text)
}

fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Timestamp(..) => "timestamp with time zone",
        other => sql_type(other),
    }
}
