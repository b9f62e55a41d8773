//! The engines that statements are printed for.

use crate::statement::ParsedQuery;
use folder::Failure;
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

impl Engine {
    const NAMED: [(&str, Engine); 3] =
        [("duckdb", Engine::DuckDb), ("datafusion", Engine::DataFusion), ("spark", Engine::Spark)];

    /// Their names as arguments.
    #[must_use]
    pub fn names() -> [&'static str; 3] {
        Self::NAMED.map(|(name, _)| name)
    }

    /// The engine of one of these names.
    #[must_use]
    pub fn named(name: &str) -> Option<Engine> {
        Self::NAMED.into_iter().find(|(own, _)| *own == name).map(|(_, engine)| engine)
    }

    /// One of our queries in the SQL of this engine. A failure states `name`.
    pub(super) fn select(self, name: &str, select: String) -> Result<String, Failure> {
        if self != Engine::Spark {
            return Ok(select);
        }
        let mut query = ParsedQuery::parse(&select)
            .map_err(|error| Failure::new("query cannot be read", Path::new(name), error))?;
        query.for_spark();
        Ok(query.to_string())
    }

    /// A statement that defines a view.
    pub(super) fn view(self, name: &str, select: &str) -> String {
        match self {
            Engine::DuckDb | Engine::Spark => format!("CREATE OR REPLACE TEMP VIEW {name} AS {select};"),
            Engine::DataFusion => format!("CREATE OR REPLACE VIEW {name} AS {select};"),
        }
    }
}

/// Times are in UTC.
pub(super) const SPARK_UTC: &str = "SET TIME ZONE 'UTC';\n";

/// The same for DuckDB.
pub(super) const UTC: &str = "SET TimeZone = 'UTC';\n";

/// Statements of the user mean the same in DuckDB. By default, `/` of whole numbers has a fraction there, and null comes
/// last in a descending order.
pub(super) const AS_HERE: &str =
    "SET integer_division = true;\nSET default_null_order = 'nulls_last_on_asc_first_on_desc';\n";

/// The query by which DuckDB reads a table. `files` is an expression. The columns are named, since DuckDB would
/// otherwise make a column of a folder `a=b` above the tables.
pub(super) fn duckdb_view(table: &Table, files: &str) -> String {
    let columns: Vec<&str> = table.columns.iter().chain([&PARTITION]).map(|column| column.name).collect();
    let columns = columns.join(", ");
    let select = format!(
        "SELECT {columns} FROM read_parquet({files}, hive_partitioning = true, hive_types = {{'crawl': varchar}})"
    );
    Engine::DuckDb.view(table.name, &select)
}
