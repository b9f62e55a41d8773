//! Tables of the user in another engine: views over their files.

use super::engine::Engine;
use super::literal::spark_literal;
use crate::catalog::dimension::sql_type;
use crate::catalog::own::{FixedColumns, OwnFile, OwnFormat, OwnHeader, ROWS_LOOKED_AT};
use crate::engine::options::OwnTable;
use crate::quoted::{identifier, literal};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::prelude::SessionContext;
use folder::Failure;
use std::fs;

/// The statements that define a table of the user in another engine: a view over its file.
pub(super) async fn definition(table: &OwnTable, context: &SessionContext, engine: Engine) -> Result<String, Failure> {
    let file = OwnFile::open(table, context).await?;
    let fixed = &file.fixed;
    let path = fs::canonicalize(&table.path).map_err(Failure::at("table cannot be read", &table.path))?;
    let format = OwnFormat::from_ending(&table.path)?;
    let select = |source: &str| match fixed {
        Some(FixedColumns { host, value, value_name, .. }) => {
            format!("SELECT {host} AS host, {value} AS {value_name} FROM {source} GROUP BY {host}")
        }
        None => format!("SELECT * FROM {source}"),
    };
    Ok(match engine {
        Engine::DuckDb => {
            let files = if path.is_dir() { path.join("*") } else { path };
            let source = duckdb_source(format, file.header, &literal(&files.to_string_lossy()), &file.read.schema());
            engine.view(&table.name, &select(&source))
        }
        Engine::Spark | Engine::DataFusion => {
            // No table of the user starts with an underscore.
            let name = if fixed.is_some() { format!("_{}", table.name) } else { table.name.clone() };
            let path = path.to_string_lossy();
            let external = match engine {
                Engine::Spark => spark_table(&name, format, file.header, &spark_literal(&path), &file.read.schema()),
                _ => {
                    let end = if table.path.is_dir() { "/" } else { "" };
                    datafusion_table(&name, format, file.header, &literal(&format!("{path}{end}")), &file.read.schema())
                }
            };
            match fixed {
                Some(_) => {
                    let select = engine.select(&table.name, select(&name))?;
                    format!("{external}\n{}", engine.view(&table.name, &select))
                }
                None => external,
            }
        }
    })
}

/// The DuckDB function call that reads a file. For CSV and TSV it states the column types that we inferred.
fn duckdb_source(format: OwnFormat, header: OwnHeader, path: &str, schema: &Schema) -> String {
    let csv = |delimiter: &str| {
        let columns: Vec<String> = (schema.fields().iter())
            .map(|field| format!("{}: '{}'", literal(field.name()), duckdb_type(field.data_type())))
            .collect();
        let has_header = header == OwnHeader::There;
        format!("read_csv({path}, header = {has_header}, delim = '{delimiter}', columns = {{{}}})", columns.join(", "))
    };
    match format {
        OwnFormat::Csv => csv(","),
        OwnFormat::Tsv => csv("\\t"),
        OwnFormat::Json => format!("read_json({path}, format = 'newline_delimited', sample_size = -1)"),
        OwnFormat::Parquet => format!("read_parquet({path})"),
    }
}

/// The statement by which DataFusion reads a file. For CSV and TSV it states the column types that we inferred.
fn datafusion_table(name: &str, format: OwnFormat, header: OwnHeader, path: &str, schema: &Schema) -> String {
    let csv = |delimiter: &str| {
        let columns: Vec<String> = (schema.fields().iter())
            .map(|field| format!("{} {}", identifier(field.name()), duckdb_type(field.data_type())))
            .collect();
        let (columns, has_header) = (columns.join(", "), header == OwnHeader::There);
        (format!(" ({columns})"), "CSV", format!(" OPTIONS ('format.has_header' '{has_header}'{delimiter})"))
    };
    let (columns, stored, options) = match format {
        OwnFormat::Csv => csv(""),
        OwnFormat::Tsv => csv(", 'format.delimiter' E'\\t'"),
        OwnFormat::Json => {
            (String::new(), "JSON", format!(" OPTIONS ('format.schema_infer_max_rec' '{ROWS_LOOKED_AT}')"))
        }
        OwnFormat::Parquet => (String::new(), "PARQUET", String::new()),
    };
    format!("CREATE EXTERNAL TABLE {name}{columns} STORED AS {stored} LOCATION {path}{options};")
}

/// The statement by which Spark reads a file. For CSV and TSV it states the column types that we inferred.
fn spark_table(name: &str, format: OwnFormat, header: OwnHeader, path: &str, schema: &Schema) -> String {
    let csv = |delimiter: &str| {
        let columns: Vec<String> = (schema.fields().iter())
            .map(|field| format!("`{}` {}", field.name().replace('`', "``"), spark_type(field.data_type())))
            .collect();
        let (columns, has_header) = (columns.join(", "), header == OwnHeader::There);
        format!("({columns}) USING csv OPTIONS (path {path}, header '{has_header}', sep '{delimiter}')")
    };
    let source = match format {
        OwnFormat::Csv => csv(","),
        OwnFormat::Tsv => csv("\\t"),
        OwnFormat::Json => format!("USING json OPTIONS (path {path})"),
        OwnFormat::Parquet => format!("USING parquet OPTIONS (path {path})"),
    };
    format!("CREATE OR REPLACE TEMP VIEW {name} {source};")
}

/// The Spark type of a column of a CSV or TSV file.
fn spark_type(found: &DataType) -> &'static str {
    match duckdb_type(found) {
        "varchar" => "string",
        other => other,
    }
}

/// The DuckDB type of a column of a CSV or TSV file.
fn duckdb_type(found: &DataType) -> &'static str {
    match found {
        DataType::Date32 | DataType::Date64 => "date",
        DataType::Timestamp(..) => "timestamp",
        other => sql_type(other),
    }
}
