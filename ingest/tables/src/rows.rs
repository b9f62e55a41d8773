//! Gathers rows into batches.

use crate::declare::Rows;
use arrow_array::RecordBatch;
use parquet::errors::ParquetError;

/// Rows are passed on once they take this many bytes of memory, few enough for the caches of a core.
const BATCH_BYTES: usize = 1 << 20;

/// Takes the batches of a table, in order.
pub trait BatchSink {
    /// Takes a batch that is not empty.
    fn write(&mut self, batch: RecordBatch) -> Result<(), ParquetError>;
}

/// Keeps the batches.
impl BatchSink for Vec<RecordBatch> {
    fn write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        self.push(batch);
        Ok(())
    }
}

/// Collects rows of a table and passes them to a sink in batches. The batches depend only on the rows.
#[derive(Debug, Default)]
pub struct RowWriter<B: Rows, S: BatchSink> {
    batch: B,
    sink: S,
}

impl<B: Rows, S: BatchSink> RowWriter<B, S> {
    /// A writer without rows.
    pub fn new(sink: S) -> Self {
        RowWriter { batch: B::default(), sink }
    }

    /// Adds a row.
    pub fn push(&mut self, row: B::Row<'_>) -> Result<(), ParquetError> {
        self.batch.push(row);
        if self.batch.bytes() < BATCH_BYTES {
            return Ok(());
        }
        self.flush()
    }

    /// Passes on all rows.
    pub fn flush(&mut self) -> Result<(), ParquetError> {
        if self.batch.rows() == 0 {
            return Ok(());
        }
        let batch = self.batch.finish()?;
        self.sink.write(batch)
    }

    /// The sink.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }
}
