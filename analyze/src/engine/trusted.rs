//! Which columns have only texts that no crawled file can choose. The guard need not protect them.

use super::once::column_of_step;
use crate::catalog::dimension::is_built_in;
use crate::catalog::folder_table::FolderTable;
use crate::catalog::memory::ListTable;
use crate::catalog::provider::provider_of;
use datafusion::logical_expr::TableScan;
use guard::Origin;
use std::sync::LazyLock;

#[cfg(test)]
mod tests;

/// Where the texts of a column come from. `column` is its index in the schema of the table. A statement with
/// `--read-write` may make a table with the name of one of ours, whose columns have other texts.
pub(super) fn origin_of(scan: &TableScan, column: usize) -> Origin<'_> {
    let is_ours = provider_of::<FolderTable>(scan).is_some() || provider_of::<ListTable>(scan).is_some();
    match origin_by_name(scan, column) {
        Origin::Trusted if !is_ours => Origin::Untrusted,
        origin => origin,
    }
}

fn origin_by_name(scan: &TableScan, column: usize) -> Origin<'_> {
    // Steps first: a statement may give a step the name of a table.
    if let Some(column) = column_of_step(scan, column) {
        return column.map_or(Origin::Untrusted, |(plan, column)| Origin::Plan(plan, column));
    }
    let (table, schema) = (scan.table_name.table(), scan.source.schema());
    match schema.fields().get(column).map(|field| field.name().as_str()) {
        Some(column) if is_built_in(table) || COLUMNS_OF_WORDS.contains(&(table, column)) => Origin::Trusted,
        _ => Origin::Untrusted,
    }
}

/// The table and the name of each declared column whose values are words of a fixed list or names of crawls.
static COLUMNS_OF_WORDS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let of_table = |table: tables::Table| {
        let words = table.columns.into_iter().filter(|column| column.is_ours).map(|column| column.name);
        words.chain([tables::PARTITION.name]).map(|column| (table.name, column)).collect::<Vec<_>>()
    };
    tables::all().into_iter().flat_map(of_table).collect()
});
