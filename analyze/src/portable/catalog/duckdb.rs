//! The script for DuckDB: temporary views. Each folder has it as `views.duckdb.sql`.

use super::cataloged::CatalogTable;
use super::shared_views::{SharedView, lists_and_views};
use crate::engine::options::SessionOptions;
use crate::portable::engine::{Engine, UTC, duckdb_view};
use crate::portable::literal::without_patterns;
use crate::quoted::literal;
use folder::Failure;
use std::fmt::Write as _;

/// How the line with the place of the folder starts.
const PLACE: &str = "SET VARIABLE tables = ";

pub(super) fn script(tables: &[CatalogTable], location: &str, options: &SessionOptions) -> Result<String, Failure> {
    let mut text = format!(
        "-- The tables of robocensus in DuckDB 1.1 or newer: duckdb -init FILE\n\
         -- After you have moved the folder, run robocensus models or robocensus catalog again, or change the next line.\n\
         -- In it, [*] stands for *, [?] for ?, and [[] for [.\n\
         {PLACE}{};\n{UTC}",
        literal(&without_patterns(location))
    );
    for cataloged in tables {
        let table = &cataloged.table;
        let files = format!("getvariable('tables') || {}", literal(&format!("/{}/*/*.parquet", table.name)));
        let _ = writeln!(text, "{}", duckdb_view(table, &files));
        let _ = writeln!(text, "COMMENT ON VIEW {} IS {};", table.name, literal(table.grain));
        for column in cataloged.columns() {
            let (name, meaning) = (column.name, literal(&column.meaning()));
            let _ = writeln!(text, "COMMENT ON COLUMN {}.{name} IS {meaning};", table.name);
        }
    }
    for SharedView { name, grain, select } in lists_and_views(tables, options, None)? {
        let _ = writeln!(text, "{}", Engine::DuckDb.view(&name, &format!("\n{select}")));
        let _ = writeln!(text, "COMMENT ON VIEW {name} IS {};", literal(&grain));
    }
    Ok(text)
}

/// A script with the place of the folder from another script.
pub(crate) fn with_place_of(script: &str, other: &str) -> String {
    let place = other.lines().find(|line| line.starts_with(PLACE)).unwrap_or_default();
    let lines = script.lines().map(|line| if line.starts_with(PLACE) { place } else { line });
    lines.flat_map(|line| [line, "\n"]).collect()
}
