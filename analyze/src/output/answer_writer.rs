//! The trait that each format implements.

use datafusion::arrow::array::RecordBatch;
use std::io;

/// Writes the batches of one answer.
pub trait AnswerWriter {
    /// Writes rows, or stores them until `finish`.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Writes the rest. Without this call, the answer is incomplete.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
