//! The messages between the threads of a pipeline.

use super::permits::{Permit, Sender, ThreadEnded};
use crate::plan;
use arrow_array::RecordBatch;
use folder::ledger::{ReadInput, Sums};
use std::sync::mpsc::SyncSender;
use std::time::Instant;
use tables::{BatchSink, ParquetError, Table};

/// A message to the thread that makes rows of bodies.
pub(super) enum RowsMessage<'p, 'j> {
    /// Bodies that are new in the part.
    Bodies(BodyBatch<'j>),
    /// Asks for the position of an input of the part with a body that made rows panic, once all bodies were turned into
    /// rows.
    Panicked(SyncSender<Option<usize>>),
    /// A message to pass on to the next thread.
    Files(FilesMessage<'p>),
}

/// A message to the thread that writes files.
pub(super) enum FilesMessage<'p> {
    /// A part starts.
    Begin(&'p plan::Part, Instant),
    /// Rows of a table.
    Rows(&'static str, RecordBatch),
    /// All inputs of the part were read.
    End(Vec<ReadInput>, Sums),
}

impl<'p> From<FilesMessage<'p>> for RowsMessage<'p, '_> {
    fn from(message: FilesMessage<'p>) -> Self {
        RowsMessage::Files(message)
    }
}

/// Sends the rows of a table to another thread.
pub(super) struct RowSender<'p, 'j, M> {
    table: &'static str,
    sender: Sender<'j, M>,
    parts: std::marker::PhantomData<&'p ()>,
}

impl<'p, M: From<FilesMessage<'p>>> BatchSink for RowSender<'p, '_, M> {
    fn write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        Ok(self.sender.send(FilesMessage::Rows(self.table, batch).into())?)
    }
}

pub(super) fn row_sender<'p, 'j, M>(table: &Table, sender: &Sender<'j, M>) -> RowSender<'p, 'j, M> {
    RowSender { table: table.name, sender: sender.clone(), parts: std::marker::PhantomData }
}

impl From<ThreadEnded> for ParquetError {
    fn from(_: ThreadEnded) -> Self {
        ParquetError::General("the thread that takes them has ended".to_owned())
    }
}

/// The messages about an input, or a folder of tables, that makes the program panic.
pub(super) const PANICKED: &str = "it makes this version of robocensus panic, which is a defect; please report it";

/// New bodies.
#[derive(Debug, Default)]
pub(super) struct BodyBatch<'j> {
    /// The permit for a large body.
    pub(super) large: Option<Permit<'j>>,
    /// The bodies, concatenated.
    pub(super) bytes: Vec<u8>,
    /// The number, input, kept length and whole length of each body.
    pub(super) bodies: Vec<(i64, usize, usize, u64)>,
}

impl BodyBatch<'_> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (i64, usize, &[u8], u64)> {
        let mut rest = self.bytes.as_slice();
        self.bodies.iter().map(move |(id, input, length, total_bytes)| {
            let (bytes, after) = rest.split_at_checked(*length).unwrap_or((rest, &[]));
            rest = after;
            (*id, *input, bytes, *total_bytes)
        })
    }
}
