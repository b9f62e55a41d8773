//! Statements for other engines: definitions of the tables of a folder and of the built-in lists.

pub mod catalog;
mod engine;
mod literal;
mod own_table;

pub use engine::Engine;

use crate::catalog::{dimension, has_file};
use crate::engine::options::SessionOptions;
use crate::functions;
use crate::models::has_own_list;
use crate::queries::Query;
use crate::quoted::literal;
use crate::statement::ParsedQuery;
use datafusion::prelude::SessionContext;
use engine::{AS_HERE, SPARK_UTC, UTC, duckdb_view};
use folder::digest::sha256;
use folder::{Failure, Folder, mounts, views_file};
use literal::{spark_literal, without_patterns};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tables::Table;

/// The function of ours that a query calls, if there is one. No other engine has it.
#[must_use]
pub fn own_function(query: &ParsedQuery) -> Option<String> {
    let calls = query.calls();
    functions::documentation().into_iter().map(|(name, _)| name).find(|function| calls.contains(function))
}

/// The statements that answer a question in another engine: definitions of everything that `query` reads, and `query`. Fails for a
/// table that the folder does not have, for a file of the user that cannot be read, and for a function of ours.
/// `context` reads the files of the user.
pub async fn script(
    query: &ParsedQuery,
    root: &Path,
    options: &SessionOptions,
    context: &SessionContext,
    engine: Engine,
    question: &Query,
) -> Result<String, Failure> {
    if let Some(function) = own_function(query) {
        let cause = "only robocensus has this function; ask without --engine";
        return Err(Failure::new("statement needs a function", Path::new(&function), cause));
    }
    let folder = Folder::at(root);
    let location = mounts::location(root).map_err(Failure::at("folder cannot be read", root))?;
    let location = location.to_string_lossy();
    let tables =
        query.tables().map_err(|error| Failure::new("query cannot be read", Path::new(&question.name), error))?;
    let columns = query.column_names();
    let mut text = String::new();
    match engine {
        Engine::DuckDb => text.extend([UTC, AS_HERE]),
        Engine::Spark => text.extend([SPARK_UTC, SPARK_TEXT_CRAWLS]),
        Engine::DataFusion => {}
    }
    for table in tables {
        let definition = if let Some(own) = options.own.iter().find(|own| own.name == table) {
            own_table::definition(own, context, engine).await?
        } else if let Some(declared) = tables::all().into_iter().find(|declared| declared.name == table) {
            if !has_file(&folder, &declared) {
                let cause = "it has no file; robocensus ingest or commit, and then models, write the tables";
                return Err(Failure::new("table is missing", &root.join(&table), cause));
            }
            folder_table(&declared, &location, engine)
        } else {
            // Lists can have more than a thousand rows, so only the columns that a built-in question names are printed.
            // A question of the user may read others: by a star, by NATURAL, or in upper case.
            let is_kept = |column: &str| !question.is_built_in || columns.contains(column);
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
    let mut query = query.clone();
    if engine == Engine::Spark {
        query.for_spark();
    }
    let _ = writeln!(text, "{query:#};");
    Ok(text)
}

/// The name of a crawl is a text, even if it looks like a number or a date.
const SPARK_TEXT_CRAWLS: &str = "SET spark.sql.sources.partitionColumnTypeInference.enabled = false;\n";

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

/// Writes `views.duckdb.sql` into a folder of tables, and the digest by which `check` verifies it. A file that is up to
/// date is kept. The caller holds the lock.
pub(crate) fn write_views(folder: &Folder, options: &SessionOptions) -> Result<(), Failure> {
    let path = views_file::path(folder);
    let location = mounts::location(folder.root()).map_err(Failure::at("folder cannot be read", folder.root()))?;
    let mut text = catalog::duckdb_views(folder, &location.to_string_lossy(), options)?;
    let there = fs::read_to_string(&path).ok();
    if options.agents.is_none() && has_own_list(folder)? {
        // The views list the agents, and the list of the user is known by its digest only.
        let Some(there) = &there else {
            let cause = "they have your own list of agents; run robocensus models with --agents and that list";
            return Err(Failure::new("views cannot be made", &path, cause));
        };
        text = catalog::with_place_of(there, &text);
    }
    let is_known = views_file::digest(folder).ok().flatten().is_some_and(|known| known == sha256(&text));
    if there.as_ref() == Some(&text) && is_known { Ok(()) } else { views_file::write(folder, &text) }
}
