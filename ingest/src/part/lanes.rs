//! The work of a pipeline besides reading, and which thread does it.
//!
//! Messages wait in two lanes: for the step that makes rows of bodies, and for the step that writes rows into files.
//! The files of a part that was read wait to be completed. Two threads do this work: a helper, and the reader whenever
//! a lane is full. So no thread waits while there is work. Only one thread at a time takes messages of a lane, in
//! order, so the tables do not depend on which thread takes them.

use super::bodies::BodyStep;
use super::files::{CompletedFile, PartStep, ReadPart, TableFile};
use super::job::PartJob;
use super::messages::{FilesMessage, PANICKED, RowsMessage};
use folder::Failure;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

/// How many messages may wait in a lane.
const WAITING: usize = 8;

/// The lanes of a pipeline.
pub(super) struct Lanes<'p, 'j> {
    job: PartJob<'j>,
    state: Mutex<LanesState<'p>>,
    changed: Condvar,
    files: Mutex<PartStep<'p, 'j>>,
}

/// The lanes with the step that makes rows.
#[derive(Clone, Copy)]
pub(super) struct Pipeline<'l, 'p, 'j> {
    pub(super) lanes: &'l Lanes<'p, 'j>,
    pub(super) rows: &'l Mutex<BodyStep<'l, 'p, 'j>>,
}

/// Where the publisher gets its work from.
pub(super) struct ToPublish<'p> {
    pub(super) parts: mpsc::Receiver<ReadPart<'p>>,
    pub(super) files: mpsc::Receiver<CompletedFile>,
}

/// The pipeline has failed and takes no more work. Its failure says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PipelineEnded;

struct LanesState<'p> {
    rows: Lane<RowsMessage<'p>>,
    files: Lane<FilesMessage<'p>>,
    /// The files of the part that is being completed, except those that a thread has taken, the largest last.
    incomplete: Vec<TableFile>,
    /// How many files threads are completing.
    completing: usize,
    /// A part is being completed and published. More than one of them would take memory.
    is_publishing: bool,
    /// The channels to the publisher, until all work is done.
    publisher: Option<(mpsc::Sender<ReadPart<'p>>, mpsc::Sender<CompletedFile>)>,
    /// All parts were read.
    is_read: bool,
    /// The first failure, which is the cause of all others.
    failure: Option<Failure>,
}

/// Messages that wait for a step.
struct Lane<M> {
    waiting: VecDeque<M>,
    /// A thread has taken a message.
    is_busy: bool,
}

/// What a thread can do.
enum LaneStep<'p> {
    Rows(RowsMessage<'p>),
    Files(FilesMessage<'p>),
    Complete(Box<TableFile>),
}

impl<M> Lane<M> {
    fn new() -> Self {
        Lane { waiting: VecDeque::new(), is_busy: false }
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.is_busy
    }

    /// Takes the next message, if no other thread has one and it `may` be taken.
    fn take(&mut self, may: impl FnOnce(&M) -> bool) -> Option<M> {
        if self.is_busy {
            return None;
        }
        let message = self.waiting.pop_front_if(|message| may(message))?;
        self.is_busy = true;
        Some(message)
    }
}

impl<'p> LanesState<'p> {
    /// A step that writes or completes files.
    fn files_step(&mut self) -> Option<LaneStep<'p>> {
        if let Some(file) = self.incomplete.pop() {
            self.completing += 1;
            return Some(LaneStep::Complete(Box::new(file)));
        }
        let is_publishing = self.is_publishing;
        let may = |message: &FilesMessage<'_>| !is_publishing || !matches!(message, FilesMessage::End(..));
        self.files.take(may).map(LaneStep::Files)
    }

    fn any_step(&mut self) -> Option<LaneStep<'p>> {
        self.files_step().or_else(|| self.rows.take(|_| true).map(LaneStep::Rows))
    }

    /// Whether no work is left, except for the publisher.
    fn is_done(&self) -> bool {
        let is_idle = self.rows.is_idle() && self.files.is_idle() && self.incomplete.is_empty() && self.completing == 0;
        self.failure.is_some() || self.is_read && is_idle
    }
}

impl<'p, 'j> Lanes<'p, 'j> {
    pub(super) fn new(job: PartJob<'j>) -> (Self, ToPublish<'p>) {
        let ((to_parts, parts), (to_files, files)) = (mpsc::channel(), mpsc::channel());
        let state = LanesState {
            rows: Lane::new(),
            files: Lane::new(),
            incomplete: Vec::new(),
            completing: 0,
            is_publishing: false,
            publisher: Some((to_parts, to_files)),
            is_read: false,
            failure: None,
        };
        let lanes = Lanes {
            job,
            state: Mutex::new(state),
            changed: Condvar::new(),
            files: Mutex::new(PartStep::new(job.destination)),
        };
        (lanes, ToPublish { parts, files })
    }

    /// Adds a message to the lane of files. Works on files while the lane is full.
    pub(super) fn send_to_files(&self, message: FilesMessage<'p>) -> Result<(), PipelineEnded> {
        let has_room = |state: &LanesState<'_>| state.files.waiting.len() < WAITING;
        let mut state = self.until(has_room, LanesState::files_step, |step| self.run_files(step))?;
        state.files.waiting.push_back(message);
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the pipeline, unless it has failed before.
    pub(super) fn fail(&self, failure: Failure) {
        let mut state = self.state();
        state.failure.get_or_insert(failure);
        state.publisher = None;
        self.changed.notify_all();
    }

    /// The failure of the pipeline.
    pub(super) fn failure(&self) -> Option<Failure> {
        self.state().failure.take()
    }

    /// The next part may be completed.
    pub(super) fn published(&self) {
        self.state().is_publishing = false;
        self.changed.notify_all();
    }

    /// Works until a condition holds. Waits if there is nothing to do; another thread may then work instead.
    fn until<'s>(
        &'s self,
        holds: impl Fn(&LanesState<'p>) -> bool,
        step: impl Fn(&mut LanesState<'p>) -> Option<LaneStep<'p>>,
        run: impl Fn(LaneStep<'p>),
    ) -> Result<MutexGuard<'s, LanesState<'p>>, PipelineEnded> {
        let mut state = self.state();
        loop {
            if state.failure.is_some() {
                return Err(PipelineEnded);
            }
            if holds(&state) {
                return Ok(state);
            }
            if let Some(step) = step(&mut state) {
                drop(state);
                run(step);
            } else {
                self.job.permits.wait(move || self.changed.wait(&mut state));
            }
            state = self.state();
        }
    }

    /// Takes a step that writes or completes files.
    fn run_files(&self, step: LaneStep<'p>) {
        match step {
            LaneStep::Files(message) => {
                let read = self.guarded(|| self.files.lock().take(message));
                let mut state = self.state();
                state.files.is_busy = false;
                if let Some((part, files)) = read.flatten() {
                    state.is_publishing = true;
                    state.incomplete = files;
                    if let Some((parts, _)) = &state.publisher {
                        // The publisher has ended only if it has failed.
                        let _ = parts.send(part);
                    }
                }
            }
            LaneStep::Complete(file) => {
                let completed = self.guarded(|| file.complete());
                let mut state = self.state();
                state.completing -= 1;
                if let (Some(completed), Some((_, files))) = (completed, &state.publisher) {
                    let _ = files.send(completed);
                }
            }
            // Only a thread with the step that makes rows takes its messages.
            LaneStep::Rows(_) => {}
        }
        self.changed.notify_all();
    }

    /// Runs a step. A failure or a panic there ends the pipeline; a panic has no one input that caused it.
    pub(super) fn guarded<T>(&self, step: impl FnOnce() -> Result<T, Failure>) -> Option<T> {
        let panicked = || Failure::new("tables cannot be written", self.job.destination.folder().root(), PANICKED);
        match catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| Err(panicked())) {
            Ok(done) => Some(done),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, LanesState<'p>> {
        self.state.lock()
    }
}

impl<'p> Pipeline<'_, 'p, '_> {
    /// Adds a message to the lane of rows. Works while the lane is full.
    pub(super) fn send(self, message: RowsMessage<'p>) -> Result<(), PipelineEnded> {
        self.until(|state| state.rows.waiting.len() < WAITING)?.rows.waiting.push_back(message);
        self.lanes.changed.notify_all();
        Ok(())
    }

    /// Works until all bodies were turned into rows. Returns the position of an input of the part with a body that made
    /// this panic.
    pub(super) fn finish_rows(self) -> Result<Option<usize>, PipelineEnded> {
        drop(self.until(|state| state.rows.is_idle())?);
        Ok(self.rows.lock().panicked())
    }

    /// Works until nothing is left to do.
    pub(super) fn work(self) {
        if let Ok(mut state) = self.until(LanesState::is_done) {
            state.publisher = None;
        }
    }

    /// Ends the pipeline once nothing is left to do: no part will follow.
    pub(super) fn end(self) {
        self.lanes.state().is_read = true;
        self.lanes.changed.notify_all();
        self.work();
    }

    fn until(&self, holds: impl Fn(&LanesState<'p>) -> bool) -> Result<MutexGuard<'_, LanesState<'p>>, PipelineEnded> {
        self.lanes.until(holds, LanesState::any_step, |step| self.run(step))
    }

    fn run(&self, step: LaneStep<'p>) {
        let LaneStep::Rows(message) = step else { return self.lanes.run_files(step) };
        self.lanes.guarded(|| self.rows.lock().take(message));
        self.lanes.state().rows.is_busy = false;
        self.lanes.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::BodyBatch;
    use super::super::{PartDestination, Permits};
    use super::*;
    use crate::plan::Part;
    use crate::progress::Progress;
    use crate::rows::KeepText;
    use folder::Folder;
    use folder::ledger::Sums;
    use std::collections::BTreeMap;
    use std::num::NonZeroUsize;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;
    use stores::Stores;

    /// Calls `check` with a part, a pipeline without a helper, and what its publisher gets.
    fn alone(folder: &Path, check: impl for<'p> FnOnce(&'p Part, Pipeline<'_, 'p, '_>, &ToPublish<'p>)) {
        let part = Part { part: 0, crawl: "TEST-1".to_owned(), inputs: Vec::new() };
        let one = || Permits::new(NonZeroUsize::MIN);
        let (folder, stores, permits, large_bodies) = (Folder::at(folder), Stores::default(), one(), one());
        let (progress, stop) = (Progress::default(), AtomicBool::new(false));
        let job = PartJob {
            destination: PartDestination::Tables(&folder),
            earlier: &BTreeMap::new(),
            keep_text: KeepText::No,
            progress: &progress,
            stop: &stop,
            stores: &stores,
            permits: &permits,
            large_bodies: &large_bodies,
        };
        let (lanes, to_publish) = Lanes::new(job);
        let rows = Mutex::new(BodyStep::new(job, &lanes));
        permits.work(|| check(&part, Pipeline { lanes: &lanes, rows: &rows }, &to_publish));
    }

    fn batch<'p>(number: usize) -> RowsMessage<'p> {
        let bytes = format!("User-agent: *\nDisallow: /{number}\n").into_bytes();
        RowsMessage::Bodies(BodyBatch { bodies: vec![(number as i64, 0, bytes.len(), bytes.len() as u64)], bytes })
    }

    /// Without help, the thread that sends does all the work once the lanes are full.
    #[test]
    fn a_thread_works_while_a_lane_is_full() {
        let folder = tempfile::tempdir().unwrap();
        alone(folder.path(), |part, pipeline, to_publish| {
            pipeline.send(RowsMessage::Files(FilesMessage::Begin(part, Instant::now()))).unwrap();
            for number in 0..3 * WAITING {
                pipeline.send(batch(number)).unwrap();
            }
            assert_eq!(pipeline.finish_rows(), Ok(None));
            pipeline.send(RowsMessage::Files(FilesMessage::End(Vec::new(), Sums::default()))).unwrap();
            pipeline.end();
            assert_eq!(pipeline.lanes.failure().map(|failure| failure.to_string()), None);
            assert_eq!(to_publish.parts.iter().count(), 1);
            let rows: Vec<_> = to_publish.files.iter().map(|file| (file.table, file.rows)).collect();
            assert_eq!(rows.len(), tables::tables().len());
            for table in ["bodies", "groups", "rules", "policies"] {
                assert!(rows.contains(&(table, 3 * WAITING as u64)), "{table}: {rows:?}");
            }
        });
    }

    #[test]
    fn a_step_that_fails_ends_the_pipeline() {
        let folder = tempfile::tempdir().unwrap();
        // No work folder can be made here.
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        alone(&file, |part, pipeline, to_publish| {
            pipeline.send(RowsMessage::Files(FilesMessage::Begin(part, Instant::now()))).unwrap();
            let sent = (0..).map(batch).find_map(|batch| pipeline.send(batch).err());
            assert_eq!(sent, Some(PipelineEnded));
            assert_eq!(pipeline.finish_rows(), Err(PipelineEnded));
            pipeline.end();
            assert_eq!((to_publish.parts.iter().count(), to_publish.files.iter().count()), (0, 0));
            let failure = pipeline.lanes.failure().unwrap().to_string();
            assert!(failure.starts_with("folder cannot be made"), "{failure}");
        });
    }
}
