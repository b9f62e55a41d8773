//! The bodies of a part: each distinct body becomes rows once.

use super::job::PartJob;
use super::messages::{BodyBatch, FilesMessage, RowsMessage, row_sender};
use super::permits::{Sender, ThreadEnded, receive};
use super::seen::SeenBodies;
use crate::answer::Body;
use crate::number::large;
use crate::rows::{BodyRows, BodyTables, Sha1Base32, WholeBody};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, sync_channel};
use tables::ParquetError;

/// Turning a body into rows may take 20 times its length in memory: a line of four bytes and its violation have a row
/// each. To bound memory, a run has only one body in memory at a time that is longer than this. One in 10,000 real
/// bodies is.
const LARGE_BYTES: usize = 1 << 20;

/// Bodies are passed on once they have this many bytes together.
const BATCH_BYTES: usize = 256 << 10;

/// Numbers the bodies of a part, and passes on new ones to be turned into rows.
pub(super) struct PartBodies<'p, 'j> {
    seen: SeenBodies,
    job: PartJob<'j>,
    /// The number of the next body.
    next: i64,
    /// The position in the part of the input that is being read.
    input: usize,
    batch: BodyBatch<'j>,
    rows: Sender<'j, RowsMessage<'p, 'j>>,
}

impl<'p, 'j> PartBodies<'p, 'j> {
    pub(super) fn new(job: PartJob<'j>, rows: Sender<'j, RowsMessage<'p, 'j>>) -> Self {
        PartBodies { seen: SeenBodies::default(), job, next: 0, input: 0, batch: BodyBatch::default(), rows }
    }

    /// Starts a part. `base` is the number of its first body.
    pub(super) fn begin(&mut self, base: i64) {
        self.seen.clear();
        self.next = base;
    }

    /// Starts the input at a position in the part.
    pub(super) fn begin_input(&mut self, input: usize) {
        self.input = input;
    }

    /// The number of a body. A new body is added to the batch.
    pub(super) fn id(&mut self, body: &Body<'_>) -> Result<i64, ThreadEnded> {
        let id = self.seen.id(body.bytes, body.total_bytes, self.next);
        if id == self.next {
            self.next += 1;
            if body.bytes.len() > LARGE_BYTES {
                self.pass_on()?;
                self.batch.large = Some(self.job.permits.wait(|| self.job.large_bodies.hold()));
            }
            self.batch.bytes.extend_from_slice(body.bytes);
            self.batch.bodies.push((id, self.input, body.bytes.len(), body.total_bytes));
            if self.batch.bytes.len() >= BATCH_BYTES {
                self.pass_on()?;
            }
        }
        Ok(id)
    }

    /// Passes on the batch.
    pub(super) fn pass_on(&mut self) -> Result<(), ThreadEnded> {
        self.rows.send(RowsMessage::Bodies(std::mem::take(&mut self.batch)))
    }

    /// Passes on the batch, and waits until all bodies of the part were turned into rows. Returns the position of an
    /// input with a body that made this panic.
    pub(super) fn finish(&mut self) -> Result<Option<usize>, ThreadEnded> {
        self.pass_on()?;
        let (sender, answer) = sync_channel(1);
        self.rows.send(RowsMessage::Panicked(sender))?;
        receive(&answer, self.job.permits).ok_or(ThreadEnded)
    }
}

/// The second thread of a pipeline: turns bodies into rows.
pub(super) fn make_rows<'p, 'j>(
    messages: &Receiver<RowsMessage<'p, 'j>>,
    job: PartJob<'j>,
    files: &Sender<'_, FilesMessage<'p>>,
) -> Result<(), ParquetError> {
    let mut parser = robots::Parser::default();
    let mut rows = BodyRows::default();
    let mut tables = BodyTables::new(|table| row_sender(&table, files));
    let mut panicked = None;
    while let Some(message) = receive(messages, job.permits) {
        match message {
            RowsMessage::Bodies(batch) => {
                for (id, input, bytes, total_bytes) in batch.iter() {
                    // The part is read again without that input.
                    if panicked.is_some() {
                        break;
                    }
                    let made = catch_unwind(AssertUnwindSafe(|| {
                        panic_for_tests("PARSE", bytes);
                        let parsed = parser.parse(bytes);
                        let digest = Sha1Base32::digest(bytes);
                        let whole = WholeBody { digest: &digest, bytes: large(total_bytes) };
                        rows.push(id, whole, &parsed, job.keep_text, &mut tables)?;
                        panic_for_tests("ROWS", bytes);
                        parser.recycle(parsed);
                        Ok::<(), ParquetError>(())
                    }));
                    if let Ok(made) = made {
                        made?;
                    } else {
                        // A panic may have left all of this in an invalid state.
                        panicked = Some(input);
                        parser = robots::Parser::default();
                        rows = BodyRows::default();
                        tables = BodyTables::new(|table| row_sender(&table, files));
                    }
                }
            }
            // If nobody waits for the answer, the run is being stopped.
            RowsMessage::Panicked(answer) => _ = answer.try_send(panicked),
            RowsMessage::Files(message) => {
                match message {
                    // Rows that are left of a part that was started before are dropped.
                    FilesMessage::Begin(..) => {
                        tables = BodyTables::new(|table| row_sender(&table, files));
                        panicked = None;
                    }
                    FilesMessage::Rows(..) => {}
                    FilesMessage::End(..) => tables.flush()?,
                }
                files.send(message)?;
            }
        }
    }
    Ok(())
}

/// Panics on bodies that contain the text of `ROBOCENSUS_TEST_PANIC_` and the step. Only debug builds do.
#[expect(clippy::panic, reason = "tests need a panic")]
pub(super) fn panic_for_tests(step: &str, content: &[u8]) {
    if cfg!(debug_assertions)
        && let Ok(text) = std::env::var(format!("ROBOCENSUS_TEST_PANIC_{step}"))
        && memchr::memmem::find(content, text.as_bytes()).is_some()
    {
        panic!("a test asked for it");
    }
}
