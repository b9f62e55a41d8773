//! The built-in lists and the views that questions share, in the SQL of an engine.

use super::cataloged::CatalogTable;
use crate::catalog::dimension;
use crate::engine::options::SessionOptions;
use crate::portable::engine::Engine;
use crate::queries::{self, Query, QueryKind};
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};

/// A built-in list, or a view that questions share.
pub(super) struct SharedView {
    pub(super) name: String,
    /// The meaning of one row.
    pub(super) grain: String,
    /// Its query, on several lines.
    pub(super) select: String,
}

/// The built-in lists, in the SQL of an engine, so that a folder needs no other file. Those that the user may provide
/// are empty.
pub(super) fn lists(options: &SessionOptions, sql: Engine) -> Result<Vec<SharedView>, Failure> {
    let bare = SessionOptions { own: Vec::new(), ..options.clone() };
    let mut found = Vec::new();
    for name in dimension::names() {
        if let Some(select) = dimension::as_select(name, &bare, &|_| true)? {
            let select = sql.select(name, select)?;
            let grain = dimension::grain(name).unwrap_or_default().to_owned();
            found.push(SharedView { name: name.to_owned(), grain, select });
        }
    }
    Ok(found)
}

/// Qualifies the name of a table with its database; `None` for plain names.
pub(super) type QualifiedName<'q> = Option<&'q dyn Fn(&str) -> String>;

/// The views with the defaults of their parameters, in the SQL of an engine. A view comes after those that it reads. A
/// view that reads a missing table is left out.
pub(super) fn views(
    tables: &[CatalogTable],
    sql: Engine,
    qualified: QualifiedName<'_>,
) -> Result<Vec<SharedView>, Failure> {
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
pub(super) fn lists_and_views(
    tables: &[CatalogTable],
    options: &SessionOptions,
    qualified: QualifiedName<'_>,
) -> Result<impl Iterator<Item = SharedView>, Failure> {
    Ok(lists(options, Engine::DuckDb)?.into_iter().chain(views(tables, Engine::DuckDb, qualified)?))
}
