//! Statements that run in another engine: definitions of the tables of a folder, and of the lists that come with the program.

mod own_table;

use crate::catalog::dimension;
use crate::engine::options::SessionOptions;
use crate::functions;
use crate::queries::{self, Query, QueryKind};
use crate::statement::ParsedQuery;
use datafusion::prelude::SessionContext;
use folder::digest::sha256;
use folder::{Failure, Folder, views_file};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Where the definitions find the folder of tables.
enum Place {
    /// At this path.
    At(PathBuf),
    /// At the path in the variable `tables`.
    InVariable,
}

/// Statements that define all that a query reads. Fails for a table that the folder does not have, for a file of the user
/// that cannot be read, and for a function that the engine does not have. `context` reads the files of the user.
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
    let place = Place::At(fs::canonicalize(root).map_err(Failure::at("folder cannot be read", root))?);
    let tables = query.tables().map_err(|error| Failure::new("query cannot be read", Path::new(name), error))?;
    let columns = query.column_names();
    let mut text = String::new();
    match engine {
        Engine::DuckDb => text.push_str(UTC),
        Engine::Spark => text.push_str(SPARK_SETTINGS),
        Engine::DataFusion => {}
    }
    for table in tables {
        let definition = if let Some(own) = options.own.iter().find(|own| own.name == table) {
            own_table::definition(own, context, engine).await?
        } else if is_of_folder(&table) {
            if !has_files(&folder, &table) {
                let cause = "it has no file; robocensus ingest and robocensus models write the tables";
                return Err(Failure::new("table is missing", &root.join(&table), cause));
            }
            folder_table(&table, &place, engine)
        } else {
            // A list has a thousand rows and more, so that only the columns that are named are printed.
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

/// Times are in UTC, and a crawl's name is a text, whatever it looks like.
const SPARK_SETTINGS: &str =
    "SET TIME ZONE 'UTC';\nSET spark.sql.sources.partitionColumnTypeInference.enabled = false;\n";

const UTC: &str = "SET TimeZone = 'UTC';\n";

fn is_of_folder(table: &str) -> bool {
    tables::tables().into_iter().chain(tables::derived()).any(|declared| declared.name == table)
}

/// Whether a table has a crawl. Its files are not looked at.
fn has_files(folder: &Folder, table: &str) -> bool {
    fs::read_dir(folder.root().join(table)).is_ok_and(|mut found| found.next().is_some())
}

fn folder_table(table: &str, place: &Place, engine: Engine) -> String {
    match engine {
        Engine::DuckDb => {
            let files = match place {
                Place::At(root) => literal(&root.join(table).join("*/*.parquet").to_string_lossy()),
                Place::InVariable => format!("getvariable('tables') || {}", literal(&format!("/{table}/*/*.parquet"))),
            };
            let select = format!(
                "SELECT * FROM read_parquet({files}, hive_partitioning = true, hive_types = {{'crawl': varchar}})"
            );
            engine.view(table, &select)
        }
        Engine::Spark => {
            let root = match place {
                Place::At(root) => root.join(table).to_string_lossy().into_owned(),
                Place::InVariable => table.to_owned(),
            };
            format!("CREATE OR REPLACE TEMP VIEW {table} USING parquet OPTIONS (path {});", spark_literal(&root))
        }
        Engine::DataFusion => {
            let root = match place {
                Place::At(root) => root.join(table).to_string_lossy().into_owned(),
                Place::InVariable => table.to_owned(),
            };
            let location = literal(&format!("{root}/"));
            format!("CREATE EXTERNAL TABLE {table} STORED AS PARQUET PARTITIONED BY (crawl) LOCATION {location};")
        }
    }
}

impl Engine {
    /// A query of ours for this engine. `name` names it in a failure.
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

/// A text as a literal of Spark's SQL, in which a backslash begins an escape.
fn spark_literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Writes `views.duckdb.sql` into a folder of tables, and the digest by which `check` knows it. Leaves a file that is up to
/// date. The caller holds the lock.
pub(crate) fn write_views(folder: &Folder, options: &SessionOptions) -> Result<(), Failure> {
    let path = views_file::path(folder);
    let text = views(folder, options)?;
    let is_there = fs::read(&path).is_ok_and(|there| there == text.as_bytes());
    let is_known = views_file::digest(folder).ok().flatten().is_some_and(|known| known == sha256(&text));
    if is_there && is_known { Ok(()) } else { views_file::write(folder, &text) }
}

/// Everything that a session has, for DuckDB: the tables of the folder, the lists, and the views that questions share with
/// the defaults of their parameters.
fn views(folder: &Folder, options: &SessionOptions) -> Result<String, Failure> {
    let root = fs::canonicalize(folder.root()).map_err(Failure::at("folder cannot be read", folder.root()))?;
    let mut text = format!(
        "-- The tables of robocensus in DuckDB 1.1 or newer: duckdb -init views.duckdb.sql\n\
         -- robocensus models writes this file. After you have moved the folder, run it again or change the next line.\n\
         SET VARIABLE tables = {};\n{UTC}",
        literal(&root.to_string_lossy())
    );
    let mut known = BTreeSet::new();
    for table in tables::tables().into_iter().chain(tables::derived()) {
        if has_files(folder, table.name) {
            let _ = writeln!(text, "{}", folder_table(table.name, &Place::InVariable, Engine::DuckDb));
            known.insert(table.name.to_owned());
        }
    }
    // The lists come with the program, so that a folder needs no other file. Those of the user are empty.
    let bare = SessionOptions { own: Vec::new(), ..options.clone() };
    for list in dimension::names() {
        if let Some(select) = dimension::as_select(list, &bare, &|_| true)? {
            let _ = writeln!(text, "{}", Engine::DuckDb.view(list, &select));
            known.insert(list.to_owned());
        }
    }
    let all = queries::all(QueryKind::View)?;
    let mut left: Vec<&Query> = all.iter().collect();
    // A view comes after those that it reads. One that reads a missing table is left out.
    while let Some(at) = left.iter().position(|query| query.header.reads.iter().all(|read| known.contains(read))) {
        let query = left.remove(at);
        let mut parsed = query.parsed()?;
        parsed.bind(&query.values(&all, &BTreeMap::new())?);
        parsed.fold();
        let _ = writeln!(text, "-- {}", query.header.grain);
        let _ = writeln!(text, "{}", Engine::DuckDb.view(&query.name, &format!("\n{parsed:#}")));
        known.insert(query.name.clone());
    }
    Ok(text)
}
