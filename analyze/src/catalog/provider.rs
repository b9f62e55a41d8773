//! The provider of a scanned table.

use datafusion::catalog::TableProvider;
use datafusion::datasource::DefaultTableSource;
use datafusion::logical_expr::TableScan;
use std::any::Any;
use std::sync::Arc;

/// The provider of a scanned table, if it is of this type.
pub(crate) fn provider_of<T: Any>(scan: &TableScan) -> Option<&T> {
    (any_provider_of(scan)?.as_ref() as &dyn Any).downcast_ref()
}

/// The provider of a scanned table.
pub(crate) fn any_provider_of(scan: &TableScan) -> Option<&Arc<dyn TableProvider>> {
    let source = (scan.source.as_ref() as &dyn Any).downcast_ref::<DefaultTableSource>()?;
    Some(&source.table_provider)
}
