//! The provider of a scanned table.

use datafusion::datasource::DefaultTableSource;
use datafusion::logical_expr::TableScan;
use std::any::Any;

/// The provider of a scanned table, if it is of this type.
pub(crate) fn provider_of<T: Any>(scan: &TableScan) -> Option<&T> {
    let source = (scan.source.as_ref() as &dyn Any).downcast_ref::<DefaultTableSource>()?;
    (source.table_provider.as_ref() as &dyn Any).downcast_ref()
}
