//! The script for Spark: tables of its metastore that refer to the files of the folder.

use super::cataloged::CatalogTable;
use super::columns::{comment, listed};
use super::shared_views::{SharedView, lists, views};
use crate::catalog::dimension::is_built_in;
use crate::engine::options::SessionOptions;
use crate::portable::engine::{Engine, SPARK_UTC};
use crate::portable::literal::spark_literal;
use datafusion::arrow::datatypes::DataType;
use folder::Failure;
use std::fmt::Write as _;
use tables::PARTITION;

pub(super) fn script(
    tables: &[CatalogTable],
    location: &str,
    database: &str,
    options: &SessionOptions,
) -> Result<String, Failure> {
    let qualified = |name: &str| format!("`{database}`.`{name}`");
    let mut text = format!(
        "-- The tables of robocensus in Spark 4: spark-sql -f FILE\n\
         -- The tables refer to the files of the folder; only the lists have their own data. Run this script again to find new crawls.\n\
         {SPARK_UTC}CREATE DATABASE IF NOT EXISTS `{database}`;\n"
    );
    for cataloged in tables {
        let table = qualified(cataloged.table.name);
        let columns = listed(cataloged.columns(), |column| {
            let (name, comment) = (column.name, spark_literal(&comment(column)));
            format!("`{name}` {} COMMENT {comment}", type_name(&column.data_type))
        });
        let grain = spark_literal(cataloged.table.grain);
        let files = spark_literal(&format!("{location}/{}", cataloged.table.name));
        let _ = writeln!(
            text,
            "\nCREATE TABLE IF NOT EXISTS {table} (\n{columns}\n)\nUSING parquet\nPARTITIONED BY (`{}`)\nCOMMENT {grain}\n\
             LOCATION {files};\nMSCK REPAIR TABLE {table};",
            PARTITION.name
        );
    }
    for list in lists(options, Engine::Spark)? {
        let (table, grain) = (qualified(&list.name), spark_literal(&list.grain));
        // A list is a table with its own data, since Derby, Spark's default metastore, rejects views of more than
        // 32,700 bytes. A list that the user may provide is created empty, and later runs keep its rows.
        let view = format!("list_of_{}", list.name);
        let _ = writeln!(
            text,
            "\nCREATE OR REPLACE TEMP VIEW {view} AS\n{};\nCREATE TABLE IF NOT EXISTS {table} USING parquet COMMENT {grain} \
             AS SELECT * FROM {view};",
            list.select
        );
        if is_built_in(&list.name) {
            let _ = writeln!(text, "INSERT OVERWRITE TABLE {table} SELECT * FROM {view};");
        }
    }
    for SharedView { name, grain, select } in views(tables, Engine::Spark, Some(&qualified))? {
        let (view, grain) = (qualified(&name), spark_literal(&grain));
        let _ = writeln!(text, "\nCREATE OR REPLACE VIEW {view} COMMENT {grain} AS\n{select};");
    }
    Ok(text)
}

/// The type of a column in Spark and Hive, and so in Athena's definitions of tables.
pub(super) fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "boolean",
        DataType::Int32 => "int",
        DataType::Int64 => "bigint",
        DataType::Float64 => "double",
        DataType::Timestamp(..) => "timestamp",
        _ => "string",
    }
}
