//! The bytes of an object that are fetched and not yet read.

use crate::budget::Budget;
use crate::refusal::FetchError;
use bytes::Bytes;
use object_store::ObjectMeta;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A reader gets an object of up to this length only when it is complete. If such an object changes or breaks off, no
/// record of it was read yet. Nearly all archives of robots.txt files are this small.
pub(crate) const WHOLE_BYTES: u64 = 8 << 20;

/// How many bytes may be fetched of an object that a reader waits for, even if other objects use up the budget.
const WINDOW_BYTES: usize = 8 << 20;

/// How often a waiting reader checks its stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The bytes between the task that fetches and the thread that reads.
#[derive(Debug)]
pub(crate) struct Buffer {
    state: Mutex<BufferState>,
    changed: Condvar,
    budget: Arc<Budget>,
}

#[derive(Debug, Default)]
struct BufferState {
    chunks: VecDeque<Bytes>,
    /// The total length of the chunks.
    bytes: usize,
    /// The size and version of the object, once known.
    meta: Option<ObjectMeta>,
    /// Whether fetching succeeded, once it has ended.
    end: Option<Result<(), FetchError>>,
    /// Whether a reader waits for this object.
    is_awaited: bool,
    /// Whether the reader was dropped.
    is_closed: bool,
}

impl Buffer {
    pub(crate) fn new(budget: Arc<Budget>) -> Self {
        Buffer { state: Mutex::default(), changed: Condvar::new(), budget }
    }

    fn state(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock()
    }

    /// Waits until more may be fetched.
    pub(crate) async fn wait_for_space(&self) {
        self.budget
            .wait_for_space(|| {
                let state = self.state();
                state.is_closed || (state.is_awaited && state.bytes < WINDOW_BYTES)
            })
            .await;
    }

    /// Sets the size and version of the object.
    pub(crate) fn set_meta(&self, meta: ObjectMeta) {
        self.state().meta = Some(meta);
        self.changed.notify_all();
    }

    pub(crate) fn push(&self, bytes: Bytes) {
        let mut state = self.state();
        if state.is_closed {
            return;
        }
        self.budget.add(bytes.len());
        state.bytes += bytes.len();
        state.chunks.push_back(bytes);
        self.changed.notify_all();
    }

    /// Marks the object as fetched, or as failed. Only the first call counts.
    pub(crate) fn finish(&self, end: Result<(), FetchError>) {
        self.state().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Discards the fetched bytes. Returns false, and discards nothing, if some of them may have been read.
    pub(crate) fn restart(&self) -> bool {
        let mut state = self.state();
        if !state.is_whole_only() {
            return false;
        }
        self.budget.release(std::mem::take(&mut state.bytes));
        state.chunks.clear();
        true
    }

    /// Marks the object as one that a reader waits for, so that it may exceed the budget.
    pub(crate) fn set_awaited(&self) {
        self.state().is_awaited = true;
        self.budget.wake();
    }

    /// Discards the fetched bytes and all that follow, because the reader was dropped.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.chunks.clear();
        self.budget.release(std::mem::take(&mut state.bytes));
    }

    /// Waits for the size and version of the object, and for all of its bytes if it is small.
    pub(crate) fn wait_for_object(&self, stop: &AtomicBool) -> Result<ObjectMeta, FetchError> {
        let state = self.wait(stop, |state| match &state.meta {
            Some(_) => state.end.is_some() || !state.is_whole_only(),
            None => state.end.is_some(),
        })?;
        match (&state.meta, &state.end) {
            (_, Some(Err(error))) if state.is_whole_only() => Err(error.clone()),
            (Some(meta), _) => Ok(meta.clone()),
            (None, _) => Err(FetchError::unanswered()),
        }
    }

    /// Waits for the next bytes. Returns `None` at the end.
    pub(crate) fn next(&self, stop: &AtomicBool) -> Result<Option<Bytes>, FetchError> {
        let mut state = self.wait(stop, |state| !state.chunks.is_empty() || state.end.is_some())?;
        if let Some(bytes) = state.chunks.pop_front() {
            state.bytes -= bytes.len();
            drop(state);
            self.budget.release(bytes.len());
            return Ok(Some(bytes));
        }
        match &state.end {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(None),
        }
    }

    fn wait(
        &self,
        stop: &AtomicBool,
        condition: impl Fn(&BufferState) -> bool,
    ) -> Result<MutexGuard<'_, BufferState>, FetchError> {
        let mut state = self.state();
        while !condition(&state) {
            if stop.load(Ordering::Relaxed) {
                return Err(FetchError::stopped());
            }
            self.changed.wait_for(&mut state, POLL_INTERVAL);
        }
        Ok(state)
    }
}

impl BufferState {
    /// Whether the reader gets nothing before the object is complete.
    fn is_whole_only(&self) -> bool {
        self.meta.as_ref().is_none_or(|meta| meta.size <= WHOLE_BYTES)
    }
}
