//! Catalogs of a folder of tables: scripts that define its tables in other engines without a copy, and a description of
//! the dataset.
//!
//! Names, types and descriptions of columns come from the declarations, and views from `queries/views`. The ledger
//! lists the tables, crawls and files, so no table is opened.

mod athena;
mod croissant;
mod duckdb;
mod ducklake;
mod spark;
mod trino;

pub use croissant::AboutDataset;

use super::{Engine, all_tables};
use crate::catalog::described::grain_of_list;
use crate::catalog::dimension;
use crate::engine::options::SessionOptions;
use crate::queries::{self, Query, QueryKind};
use folder::ledger::{self, WrittenFile};
use folder::models::{self, PART};
use folder::{Failure, Folder, mounts};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use tables::{Column, PARTITION, Table};

/// The engine or format of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CatalogTarget {
    /// DuckDB 1.1 or newer: temporary views.
    DuckDb,
    /// DuckLake: tables in a lake of this name.
    DuckLake(String),
    /// Spark 4: tables in this database of its metastore.
    Spark(String),
    /// Athena: tables in this database of AWS Glue.
    Athena(String),
    /// Trino, with the Hive connector: tables in this schema.
    Trino(String),
    /// Croissant 1.1, with what the publisher states about the dataset.
    Croissant(AboutDataset),
}

/// A catalog of a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum Catalog {
    /// SQL. Each statement ends with `;` at the end of a line.
    Script(String),
    /// JSON-LD.
    Description(Value),
}

/// Makes the catalog of a folder. `location` is where readers find the folder: a URL or an absolute path; its local
/// path by default. Fails for a folder without tables, and for a location that the target cannot read.
pub fn catalog(
    root: &Path,
    location: Option<&str>,
    target: &CatalogTarget,
    options: &SessionOptions,
) -> Result<Catalog, Failure> {
    let folder = Folder::at(root);
    fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
    let tables = read_tables(&folder)?;
    if tables.is_empty() {
        let cause = "the ledger has no part; robocensus ingest writes them";
        return Err(Failure::new("there is nothing to catalog", root, cause));
    }
    let location_or_path = || match location {
        Some(location) => Ok(location.trim_end_matches('/').to_owned()),
        None => path_of(root),
    };
    let script = match target {
        CatalogTarget::Croissant(about) => {
            return Ok(Catalog::Description(croissant::description(&tables, location, about)));
        }
        CatalogTarget::DuckDb => duckdb::script(&tables, &location_or_path()?, options),
        CatalogTarget::DuckLake(name) => ducklake::script(&tables, &location_or_path()?, name, options),
        CatalogTarget::Spark(database) => spark::script(&tables, &location_or_path()?, database, options),
        CatalogTarget::Athena(database) => athena::script(&tables, &location_or_path()?, database, options),
        CatalogTarget::Trino(schema) => trino::script(&tables, &location_or_path()?, schema, options),
    };
    script.map(Catalog::Script)
}

/// The absolute path of a folder, without links.
fn path_of(root: &Path) -> Result<String, Failure> {
    let path = mounts::location(root).map_err(Failure::at("folder cannot be read", root))?;
    let not_a_text = || Failure::new("folder cannot be named", root, "its path is not UTF-8; give --location");
    path.to_str().map(str::to_owned).ok_or_else(not_a_text)
}

/// The text of `views.duckdb.sql`, which defines for DuckDB all tables and views of a session.
pub(super) fn duckdb_views(folder: &Folder, location: &str, options: &SessionOptions) -> Result<String, Failure> {
    duckdb::script(&read_tables(folder)?, location, options)
}

/// A table that has files.
struct CatalogTable {
    table: Table,
    /// Its files, by crawl and part.
    files: Vec<CatalogFile>,
}

/// A file of a table.
struct CatalogFile {
    crawl: String,
    /// Its path in the folder.
    path: String,
    written: WrittenFile,
}

impl CatalogTable {
    /// Its crawls.
    fn crawls(&self) -> BTreeSet<&str> {
        self.files.iter().map(|file| file.crawl.as_str()).collect()
    }

    /// Its columns, followed by `crawl`, which is part of the path.
    fn columns(&self) -> impl Iterator<Item = &Column> {
        self.table.columns.iter().chain([&PARTITION])
    }
}

/// The tables of a folder that have files, in the order of the declarations.
fn read_tables(folder: &Folder) -> Result<Vec<CatalogTable>, Failure> {
    let entries = ledger::read(folder)?;
    let relative = Folder::at(Path::new(""));
    let file = |crawl: &str, part: u32, written: &WrittenFile| CatalogFile {
        crawl: crawl.to_owned(),
        path: relative.file(&written.table, crawl, part).to_string_lossy().into_owned(),
        written: written.clone(),
    };
    let mut found = Vec::new();
    for table in all_tables() {
        let parts = entries.values().flat_map(|entry| entry.files.iter().map(move |written| (entry, written)));
        let parts = parts.filter(|(_, written)| written.table == table.name);
        let mut files: Vec<_> = parts.map(|(entry, written)| file(&entry.crawl, entry.part, written)).collect();
        for (_, made) in models::each(folder, table.name)? {
            let made = made?;
            if made.file.table == table.name {
                files.push(file(&made.crawl, PART, &made.file));
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        if !files.is_empty() {
            found.push(CatalogTable { table, files });
        }
    }
    Ok(found)
}

/// A built-in list, or a view that questions share.
struct SharedView {
    name: String,
    /// What one row of it is.
    grain: String,
    /// Its query, on several lines.
    select: String,
}

/// The built-in lists, in the SQL of an engine, so that a folder needs no other file. Those that the user may provide
/// are empty.
fn lists(options: &SessionOptions, sql: Engine) -> Result<Vec<SharedView>, Failure> {
    let bare = SessionOptions { own: Vec::new(), ..options.clone() };
    let mut found = Vec::new();
    for name in dimension::names() {
        if let Some(select) = dimension::as_select(name, &bare, &|_| true)? {
            let select = sql.select(name, select)?;
            found.push(SharedView { name: name.to_owned(), grain: grain_of_list(name).to_owned(), select });
        }
    }
    Ok(found)
}

/// Qualifies the name of a table with its database; `None` for plain names.
type QualifiedName<'q> = Option<&'q dyn Fn(&str) -> String>;

/// The views with the defaults of their parameters, in the SQL of an engine. A view comes after those that it reads. A
/// view that reads a missing table is left out.
fn views(tables: &[CatalogTable], sql: Engine, qualified: QualifiedName<'_>) -> Result<Vec<SharedView>, Failure> {
    let known = tables.iter().map(|table| table.table.name).chain(dimension::names());
    let mut known: BTreeSet<String> = known.map(str::to_owned).collect();
    let all = queries::all(QueryKind::View)?;
    let mut left: Vec<&Query> = all.iter().collect();
    let mut found = Vec::new();
    while let Some(at) = left.iter().position(|query| query.header.reads.iter().all(|read| known.contains(read))) {
        let query = left.remove(at);
        let mut parsed = query.parsed()?;
        parsed.bind(&query.values(&all, &BTreeMap::new())?);
        parsed.fold();
        if let Some(qualified) = qualified {
            parsed.rename_tables(&query.header.reads.iter().map(|read| (read.as_str(), qualified(read))).collect());
        }
        if sql == Engine::Spark {
            parsed.for_spark();
        }
        let (name, grain) = (query.name.clone(), query.header.grain.clone());
        known.insert(name.clone());
        found.push(SharedView { name, grain, select: format!("{parsed:#}") });
    }
    Ok(found)
}

/// The lists and the views, in SQL that DuckDB and Trino share.
fn lists_and_views(
    tables: &[CatalogTable],
    options: &SessionOptions,
    qualified: QualifiedName<'_>,
) -> Result<impl Iterator<Item = SharedView>, Failure> {
    Ok(lists(options, Engine::DuckDb)?.into_iter().chain(views(tables, Engine::DuckDb, qualified)?))
}

/// The longest comment of a column that Hive's metastore and AWS Glue accept uncut.
const COMMENT_BYTES: usize = 255;

/// The description of a column, for a metastore: without its list of words if that does not fit.
fn comment(column: &Column) -> String {
    let meaning = column.meaning();
    if meaning.len() <= COMMENT_BYTES { meaning } else { column.description.to_owned() }
}

/// Columns as a list, one a line.
fn listed<'c>(columns: impl IntoIterator<Item = &'c Column>, line: impl Fn(&Column) -> String) -> String {
    columns.into_iter().map(|column| format!("  {}", line(column))).collect::<Vec<_>>().join(",\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_fit_a_metastore() {
        for table in all_tables() {
            for column in table.columns.iter().chain([&PARTITION]) {
                let comment = comment(column);
                assert!(comment.len() <= COMMENT_BYTES && !comment.contains('\n'), "{}.{}", table.name, column.name);
            }
        }
    }
}
