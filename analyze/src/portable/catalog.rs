//! Catalogs of a folder of tables: scripts that define its tables in other engines without a copy, and a description of
//! the dataset.
//!
//! Names, types and descriptions of columns come from the declarations, and views from `queries/views`. The ledger
//! lists the tables, crawls and files, so no table is opened.

mod athena;
mod cataloged;
mod columns;
mod croissant;
mod duckdb;
mod ducklake;
mod shared_views;
mod spark;
mod trino;

pub use croissant::AboutDataset;

pub(super) use duckdb::with_place_of;

use crate::crawls;
use crate::engine::options::SessionOptions;
use crate::engine::session::require_tables;
use cataloged::read_tables;
use folder::{Failure, Folder, mounts};
use serde_json::Value;
use std::path::Path;

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
    folder::require_folder(root)?;
    require_tables(&folder)?;
    let tables = read_tables(&folder)?;
    if tables.is_empty() {
        return Err(crawls::without_parts("there is nothing to catalog", &folder));
    }
    let location_or_path = || match location {
        Some(location) if is_of_http(location) => {
            let cause =
                "an HTTP server cannot list its files, so no engine finds them; give the URL of a bucket or a path";
            Err(Failure::new("location is not supported", Path::new(location), cause))
        }
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

/// Whether a location is on an HTTP server.
fn is_of_http(location: &str) -> bool {
    location.split_once("://").is_some_and(|(scheme, _)| matches!(&*scheme.to_lowercase(), "http" | "https"))
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
