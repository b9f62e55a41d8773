//! Filters that are applied before judging.

use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};

/// For each filter, whether it is applied before judging: only those on these columns are.
pub(super) fn pushed(filters: &[&Expr], columns: &[&str]) -> Vec<TableProviderFilterPushDown> {
    let pushed = |filter: &&Expr| match is_about(filter, columns) && !filter.is_volatile() {
        true => TableProviderFilterPushDown::Exact,
        false => TableProviderFilterPushDown::Unsupported,
    };
    filters.iter().map(pushed).collect()
}

/// Whether an expression reads only these columns.
pub(super) fn is_about(expression: &Expr, columns: &[&str]) -> bool {
    expression.column_refs().iter().all(|column| columns.contains(&column.name.as_str()))
}
