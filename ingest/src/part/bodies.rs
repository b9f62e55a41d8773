//! The bodies of a part: each distinct body becomes rows once.

use super::job::PartJob;
use super::lanes::{Lanes, Pipeline, PipelineEnded};
use super::messages::{BATCH_BYTES, BodyBatch, BodySink, FilesMessage, RowsMessage};
use super::seen::SeenBodies;
use crate::answer::Body;
use crate::rows::{BodyRows, BodyTables, Sha1Base32};
use folder::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tables::{ParquetError, write_cause};

/// Turning a body into rows may take 20 times its length in memory: a line of four bytes and its violation have a row
/// each. To bound memory, a run has only one body in memory at a time that is longer than this. One in 10,000 real
/// bodies is.
const LARGE_BYTES: usize = 1 << 20;

/// Numbers the bodies of a part, and passes on new ones to be turned into rows.
pub(super) struct PartBodies<'l, 'p, 'j> {
    seen: SeenBodies,
    job: PartJob<'j>,
    /// The number of the next body.
    next: i64,
    /// The position in the part of the input that is being read.
    input: usize,
    batch: BodyBatch,
    pipeline: Pipeline<'l, 'p, 'j>,
}

impl<'l, 'p, 'j> PartBodies<'l, 'p, 'j> {
    pub(super) fn new(job: PartJob<'j>, pipeline: Pipeline<'l, 'p, 'j>) -> Self {
        PartBodies { seen: SeenBodies::default(), job, next: 0, input: 0, batch: BodyBatch::default(), pipeline }
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
    pub(super) fn id(&mut self, body: &Body<'_>) -> Result<i64, PipelineEnded> {
        let id = self.seen.id(body.bytes, body.total_bytes, self.next);
        if id == self.next {
            self.next += 1;
            if body.bytes.len() > LARGE_BYTES {
                self.pass_on()?;
                let _only = self.job.permits.wait(|| self.job.large_bodies.hold());
                self.add(id, body);
                self.pass_on()?;
                self.pipeline.finish_rows()?;
            } else {
                self.add(id, body);
                if self.batch.bytes.len() >= BATCH_BYTES {
                    self.pass_on()?;
                }
            }
        }
        Ok(id)
    }

    fn add(&mut self, id: i64, body: &Body<'_>) {
        self.batch.bytes.extend_from_slice(body.bytes);
        self.batch.bodies.push((id, self.input, body.bytes.len(), body.total_bytes));
    }

    /// Passes on the batch.
    fn pass_on(&mut self) -> Result<(), PipelineEnded> {
        self.pipeline.send(RowsMessage::Bodies(std::mem::take(&mut self.batch)))
    }

    /// Passes on the batch, and waits until all bodies of the part were turned into rows. Returns the position of an
    /// input with a body that made this panic.
    pub(super) fn finish(&mut self) -> Result<Option<usize>, PipelineEnded> {
        self.pass_on()?;
        self.pipeline.finish_rows()
    }
}

/// The step of a pipeline that turns bodies into rows.
pub(super) struct BodyStep<'l, 'p, 'j> {
    job: PartJob<'j>,
    lanes: &'l Lanes<'p, 'j>,
    parser: robots::Parser,
    rows: BodyRows,
    tables: BodyTables<BodySink<'l, 'p, 'j>>,
    panicked: Option<usize>,
}

impl<'l, 'p, 'j> BodyStep<'l, 'p, 'j> {
    pub(super) fn new(job: PartJob<'j>, lanes: &'l Lanes<'p, 'j>) -> Self {
        let tables = BodyTables::new(|table| BodySink::new(&table, lanes));
        BodyStep { job, lanes, parser: robots::Parser::default(), rows: BodyRows::default(), tables, panicked: None }
    }

    /// The position of an input of the part with a body that made rows panic.
    pub(super) fn panicked(&self) -> Option<usize> {
        self.panicked
    }

    /// Takes the next message.
    pub(super) fn take(&mut self, message: RowsMessage<'p>) -> Result<(), Failure> {
        let taken = match message {
            RowsMessage::Bodies(batch) => self.bodies(&batch),
            RowsMessage::Files(message) => self.pass_on(message),
        };
        taken.map_err(|error| rows_failed(&error, self.job))
    }

    fn bodies(&mut self, batch: &BodyBatch) -> Result<(), ParquetError> {
        for (id, input, bytes, total_bytes) in batch.iter() {
            // The part is read again without that input.
            if self.panicked.is_some() {
                break;
            }
            let BodyStep { job, parser, rows, tables, .. } = self;
            let made = catch_unwind(AssertUnwindSafe(|| {
                panic_for_tests("PARSE", bytes);
                let parsed = parser.parse_kept(bytes, usize::try_from(total_bytes).unwrap_or(usize::MAX));
                rows.push(id, &Sha1Base32::digest(bytes), &parsed, job.keep_text, tables)?;
                panic_for_tests("ROWS", bytes);
                parser.recycle(parsed);
                Ok::<(), ParquetError>(())
            }));
            if let Ok(made) = made {
                made?;
            } else {
                // A panic may have left all of this in an invalid state.
                *self = BodyStep { panicked: Some(input), ..BodyStep::new(self.job, self.lanes) };
            }
        }
        Ok(())
    }

    fn pass_on(&mut self, message: FilesMessage<'p>) -> Result<(), ParquetError> {
        match message {
            // Rows that are left of a part that was started before are dropped.
            FilesMessage::Begin(..) => {
                self.tables = BodyTables::new(|table| BodySink::new(&table, self.lanes));
                self.panicked = None;
            }
            FilesMessage::Rows(..) => {}
            FilesMessage::End(..) => self.tables.flush()?,
        }
        Ok(self.lanes.send_to_files(message)?)
    }
}

pub(super) fn rows_failed(error: &ParquetError, job: PartJob<'_>) -> Failure {
    Failure::new("rows cannot be made", job.destination.folder().root(), write_cause(error))
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
