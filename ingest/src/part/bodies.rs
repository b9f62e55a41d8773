//! The bodies of a part: each distinct body becomes rows once.

use super::permits::{Gone, Permit, Sender, receive};
use super::seen::SeenBodies;
use super::{FilesMessage, PartJob, RowsMessage, row_sender};
use crate::answer::Body;
use crate::number::large;
use crate::rows::{BodyRows, BodyTables, Sha1Base32, WholeBody};
use std::sync::mpsc::Receiver;
use tables::ParquetError;

/// A body of this length may take twenty times its length in memory while it is turned into rows: a line of four bytes has
/// a row, and so has its violation. One in ten thousand real bodies is longer. So that memory is bounded, a run has one of
/// them in memory at a time.
const LARGE_BYTES: usize = 1 << 20;

/// Bodies are passed on once they have this many bytes.
const BATCH_BYTES: usize = 256 << 10;

/// The bodies of a part on their way to become rows.
pub(super) struct PartBodies<'p, 'j> {
    seen: SeenBodies,
    job: PartJob<'j>,
    /// The number of the next body.
    next: i64,
    batch: BodyBatch<'j>,
    rows: Sender<'j, RowsMessage<'p, 'j>>,
}

impl<'p, 'j> PartBodies<'p, 'j> {
    pub(super) fn new(job: PartJob<'j>, rows: Sender<'j, RowsMessage<'p, 'j>>) -> Self {
        PartBodies { seen: SeenBodies::default(), job, next: 0, batch: BodyBatch::default(), rows }
    }

    /// Starts a part, with the number of its first body.
    pub(super) fn begin(&mut self, base: i64) {
        self.seen.clear();
        self.next = base;
    }

    /// The number of a body. A new body is to become rows.
    pub(super) fn id(&mut self, body: &Body<'_>) -> Result<i64, Gone> {
        let id = self.seen.id(body.bytes, body.total_bytes, self.next);
        if id == self.next {
            self.next += 1;
            if body.bytes.len() > LARGE_BYTES {
                self.pass_on()?;
                self.batch.large = Some(self.job.permits.wait(|| self.job.large_bodies.hold()));
            }
            self.batch.bytes.extend_from_slice(body.bytes);
            self.batch.bodies.push((id, body.bytes.len(), body.total_bytes));
            if self.batch.bytes.len() >= BATCH_BYTES {
                self.pass_on()?;
            }
        }
        Ok(id)
    }

    /// Passes on all bodies.
    pub(super) fn pass_on(&mut self) -> Result<(), Gone> {
        self.rows.send(RowsMessage::Bodies(std::mem::take(&mut self.batch)))
    }
}

/// New bodies.
#[derive(Debug, Default)]
pub(super) struct BodyBatch<'j> {
    /// The permit for a large body.
    large: Option<Permit<'j>>,
    /// All bodies, one behind another.
    bytes: Vec<u8>,
    /// Number, kept length and whole length of each.
    bodies: Vec<(i64, usize, u64)>,
}

impl BodyBatch<'_> {
    fn iter(&self) -> impl Iterator<Item = (i64, &[u8], u64)> {
        let mut rest = self.bytes.as_slice();
        self.bodies.iter().map(move |(id, length, total_bytes)| {
            let (bytes, behind) = rest.split_at_checked(*length).unwrap_or((rest, &[]));
            rest = behind;
            (*id, bytes, *total_bytes)
        })
    }
}

/// The second thread of a line: turns bodies into rows.
pub(super) fn make_rows<'p, 'j>(
    messages: &Receiver<RowsMessage<'p, 'j>>,
    job: PartJob<'j>,
    files: &Sender<'_, FilesMessage<'p>>,
) -> Result<(), ParquetError> {
    let mut parser = robots::Parser::default();
    let mut rows = BodyRows::default();
    let mut tables = BodyTables::new(|table| row_sender(&table, files));
    while let Some(message) = receive(messages, job.permits) {
        match message {
            RowsMessage::Bodies(batch) => {
                for (id, bytes, total_bytes) in batch.iter() {
                    let parsed = parser.parse(bytes);
                    let digest = Sha1Base32::digest(bytes);
                    let whole = WholeBody { digest: &digest, bytes: large(total_bytes) };
                    rows.push(id, whole, &parsed, job.keep_text, &mut tables)?;
                    parser.recycle(parsed);
                }
            }
            RowsMessage::Files(message) => {
                match message {
                    // What is left of a part that began before is of no use.
                    FilesMessage::Begin(..) => tables = BodyTables::new(|table| row_sender(&table, files)),
                    FilesMessage::Rows(..) => {}
                    FilesMessage::End(..) => tables.flush()?,
                }
                files.send(message)?;
            }
        }
    }
    Ok(())
}
