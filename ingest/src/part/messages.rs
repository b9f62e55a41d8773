//! The messages between the steps of a pipeline.

use super::lanes::{Lanes, Pipeline, PipelineEnded};
use crate::plan;
use arrow_array::RecordBatch;
use folder::ledger::{ReadInput, Sums};
use std::time::Instant;
use tables::{BatchSink, ParquetError, Table};

/// A message to the step that makes rows of bodies.
pub(super) enum RowsMessage<'p> {
    /// Bodies that are new in the part.
    Bodies(BodyBatch),
    /// A message to pass on to the next step.
    Files(FilesMessage<'p>),
}

/// A message to the step that writes files.
pub(super) enum FilesMessage<'p> {
    /// A part starts.
    Begin(&'p plan::Part, Instant),
    /// Rows of a table.
    Rows(&'static str, RecordBatch),
    /// All inputs of the part were read.
    End(Vec<ReadInput>, Sums),
}

/// Sends the rows of a table that the reader makes.
pub(super) struct ReaderSink<'l, 'p, 'j> {
    table: &'static str,
    pipeline: Pipeline<'l, 'p, 'j>,
}

impl<'l, 'p, 'j> ReaderSink<'l, 'p, 'j> {
    pub(super) fn new(table: &Table, pipeline: Pipeline<'l, 'p, 'j>) -> Self {
        ReaderSink { table: table.name, pipeline }
    }
}

impl BatchSink for ReaderSink<'_, '_, '_> {
    fn write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        Ok(self.pipeline.send(RowsMessage::Files(FilesMessage::Rows(self.table, batch)))?)
    }
}

/// Sends the rows of a table that are made of bodies.
pub(super) struct BodySink<'l, 'p, 'j> {
    table: &'static str,
    lanes: &'l Lanes<'p, 'j>,
}

impl<'l, 'p, 'j> BodySink<'l, 'p, 'j> {
    pub(super) fn new(table: &Table, lanes: &'l Lanes<'p, 'j>) -> Self {
        BodySink { table: table.name, lanes }
    }
}

impl BatchSink for BodySink<'_, '_, '_> {
    fn write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        Ok(self.lanes.send_to_files(FilesMessage::Rows(self.table, batch))?)
    }
}

impl From<PipelineEnded> for ParquetError {
    fn from(_: PipelineEnded) -> Self {
        ParquetError::General("the pipeline has failed".to_owned())
    }
}

/// The messages about an input, or a folder of tables, that makes the program panic.
pub(super) const PANICKED: &str = "it makes this version of robocensus panic, which is a defect; please report it";

/// Bodies are passed on once they have this many bytes together.
pub(super) const BATCH_BYTES: usize = 256 << 10;

/// New bodies.
#[derive(Debug)]
pub(super) struct BodyBatch {
    /// The bodies, concatenated.
    pub(super) bytes: Vec<u8>,
    /// The number, input, kept length and whole length of each body.
    pub(super) bodies: Vec<(i64, usize, usize, u64)>,
}

impl Default for BodyBatch {
    /// With room for a whole batch, so that bodies are not copied while it grows.
    fn default() -> Self {
        BodyBatch { bytes: Vec::with_capacity(BATCH_BYTES + BATCH_BYTES / 4), bodies: Vec::new() }
    }
}

impl BodyBatch {
    pub(super) fn iter(&self) -> impl Iterator<Item = (i64, usize, &[u8], u64)> {
        let mut rest = self.bytes.as_slice();
        self.bodies.iter().map(move |(id, input, length, total_bytes)| {
            let (bytes, after) = rest.split_at_checked(*length).unwrap_or((rest, &[]));
            rest = after;
            (*id, *input, bytes, *total_bytes)
        })
    }
}
