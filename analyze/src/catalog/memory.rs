//! Tables in memory.

use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use std::sync::Arc;

/// Tables with their names.
pub(super) type NamedTables = Vec<(&'static str, Arc<dyn TableProvider>)>;

/// Makes a table of one batch.
pub(super) fn in_memory(batch: RecordBatch) -> Result<Arc<dyn TableProvider>> {
    Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
}
