//! Statements for other engines: definitions of the tables of a folder and of the built-in lists.

pub mod catalog;
mod own_table;

use crate::catalog::dimension;
use crate::engine::options::SessionOptions;
use crate::functions;
use crate::statement::ParsedQuery;
use datafusion::prelude::SessionContext;
use folder::digest::sha256;
use folder::{Failure, Folder, mounts, views_file};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tables::{PARTITION, Table};

/// An engine that a statement is printed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// DuckDB 1.1 or newer.
    DuckDb,
    /// DataFusion, as in `datafusion-cli`.
    DataFusion,
    /// Spark 4, as in `spark-sql`.
    Spark,
}

/// Statements that define everything that a query reads. Fails for a table that the folder does not have, for a file of
/// the user that cannot be read, and for a function that the engine does not have. `context` reads the files of the
/// user.
pub async fn prelude(
    query: &ParsedQuery,
    root: &Path,
    options: &SessionOptions,
    context: &SessionContext,
    engine: Engine,
    name: &str,
) -> Result<String, Failure> {
    let calls = query.calls();
    if let Some(function) = functions::names().into_iter().find(|function| calls.contains(function)) {
        let cause = "only robocensus has this function; ask without --engine";
        return Err(Failure::new("statement needs a function", Path::new(&function), cause));
    }
    let folder = Folder::at(root);
    let location = mounts::location(root).map_err(Failure::at("folder cannot be read", root))?;
    let location = location.to_string_lossy();
    let tables = query.tables().map_err(|error| Failure::new("query cannot be read", Path::new(name), error))?;
    let columns = query.column_names();
    let mut text = String::new();
    match engine {
        Engine::DuckDb => text.push_str(UTC),
        Engine::Spark => text.extend([SPARK_UTC, SPARK_TEXT_CRAWLS]),
        Engine::DataFusion => {}
    }
    for table in tables {
        let definition = if let Some(own) = options.own.iter().find(|own| own.name == table) {
            own_table::definition(own, context, engine).await?
        } else if let Some(declared) = all_tables().find(|declared| declared.name == table) {
            if !has_files(&folder, &table) {
                let cause = "it has no file; robocensus ingest and robocensus models write the tables";
                return Err(Failure::new("table is missing", &root.join(&table), cause));
            }
            folder_table(&declared, &location, engine)
        } else {
            // Lists can have more than a thousand rows, so only the columns that the query names are printed.
            let is_kept = |column: &str| columns.contains(column);
            match dimension::as_select(&table, options, &is_kept)? {
                Some(select) => engine.view(&table, &engine.select(&table, select)?),
                None => {
                    let cause = "it is a table of this session only";
                    return Err(Failure::new("table is not supported", Path::new(&table), cause));
                }
            }
        };
        let _ = writeln!(text, "{definition}");
    }
    Ok(text)
}

/// Times are in UTC.
const SPARK_UTC: &str = "SET TIME ZONE 'UTC';\n";

/// The name of a crawl is a text, even if it looks like a number or a date.
const SPARK_TEXT_CRAWLS: &str = "SET spark.sql.sources.partitionColumnTypeInference.enabled = false;\n";

const UTC: &str = "SET TimeZone = 'UTC';\n";

/// The tables that a folder can have.
fn all_tables() -> impl Iterator<Item = Table> {
    tables::tables().into_iter().chain(tables::derived())
}

/// Whether the folder has a partition of the table. Its files are not checked.
fn has_files(folder: &Folder, table: &str) -> bool {
    fs::read_dir(folder.root().join(table)).is_ok_and(|mut found| found.next().is_some())
}

/// The definition of a table of the folder at a location.
fn folder_table(table: &Table, location: &str, engine: Engine) -> String {
    let name = table.name;
    match engine {
        Engine::DuckDb => duckdb_view(table, &literal(&format!("{}/{name}/*/*.parquet", without_patterns(location)))),
        Engine::Spark => {
            let path = spark_literal(&format!("{location}/{name}"));
            format!("CREATE OR REPLACE TEMP VIEW {name} USING parquet OPTIONS (path {path});")
        }
        Engine::DataFusion => {
            let path = literal(&format!("{location}/{name}/"));
            format!("CREATE EXTERNAL TABLE {name} STORED AS PARQUET PARTITIONED BY (crawl) LOCATION {path};")
        }
    }
}

/// The query by which DuckDB reads a table. `files` is an expression. The columns are named, since DuckDB would
/// otherwise make a column of a folder `a=b` above the tables.
fn duckdb_view(table: &Table, files: &str) -> String {
    let columns: Vec<&str> = table.columns.iter().chain([&PARTITION]).map(|column| column.name).collect();
    let columns = columns.join(", ");
    let select = format!(
        "SELECT {columns} FROM read_parquet({files}, hive_partitioning = true, hive_types = {{'crawl': varchar}})"
    );
    Engine::DuckDb.view(table.name, &select)
}

/// A location as a DuckDB pattern that matches only itself.
fn without_patterns(location: &str) -> String {
    let mut pattern = String::with_capacity(location.len());
    for character in location.chars() {
        match character {
            '[' | '*' | '?' => pattern.extend(['[', character, ']']),
            other => pattern.push(other),
        }
    }
    pattern
}

impl Engine {
    /// One of our queries in the SQL of this engine. A failure states `name`.
    fn select(self, name: &str, select: String) -> Result<String, Failure> {
        if self != Engine::Spark {
            return Ok(select);
        }
        let mut query = ParsedQuery::parse(&select)
            .map_err(|error| Failure::new("query cannot be read", Path::new(name), error))?;
        query.for_spark();
        Ok(query.to_string())
    }

    /// A statement that defines a view.
    fn view(self, name: &str, select: &str) -> String {
        match self {
            Engine::DuckDb | Engine::Spark => format!("CREATE OR REPLACE TEMP VIEW {name} AS {select};"),
            Engine::DataFusion => format!("CREATE OR REPLACE VIEW {name} AS {select};"),
        }
    }
}

/// A text as a literal of SQL.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text as a literal of Spark's SQL, in which a backslash starts an escape.
fn spark_literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Writes `views.duckdb.sql` into a folder of tables, and the digest by which `check` verifies it. A file that is up to
/// date is kept. The caller holds the lock.
pub(crate) fn write_views(folder: &Folder, options: &SessionOptions) -> Result<(), Failure> {
    let path = views_file::path(folder);
    let location = mounts::location(folder.root()).map_err(Failure::at("folder cannot be read", folder.root()))?;
    let text = catalog::duckdb_views(folder, &location.to_string_lossy(), options)?;
    let is_there = fs::read(&path).is_ok_and(|there| there == text.as_bytes());
    let is_known = views_file::digest(folder).ok().flatten().is_some_and(|known| known == sha256(&text));
    if is_there && is_known { Ok(()) } else { views_file::write(folder, &text) }
}
