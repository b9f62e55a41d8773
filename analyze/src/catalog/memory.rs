//! Tables in memory.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::datasource::{MemTable, TableType};
use datafusion::error::Result;
use std::sync::Arc;

/// Tables with their names.
pub(super) type NamedTables = Vec<(&'static str, Arc<dyn TableProvider>)>;

/// Makes a table of one batch.
pub(super) fn in_memory(batch: RecordBatch) -> Result<Arc<dyn TableProvider>> {
    Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
}

/// A list of the program, whose rows no statement changes. Its type tells it from a table that a statement made.
#[derive(Debug)]
pub(crate) struct ListTable(Arc<dyn TableProvider>);

impl ListTable {
    /// Makes a list of one batch.
    pub(super) fn new(batch: RecordBatch) -> Result<Self> {
        in_memory(batch).map(ListTable)
    }
}

impl TableProvider for ListTable {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        self.0.table_type()
    }

    scan!(|table, state, projection, filters, limit| table.0.scan(state, projection, filters, limit));
}
