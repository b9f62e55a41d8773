//! What was fetched of an object and not yet read.

use crate::budget::Budget;
use crate::refusal::FetchError;
use bytes::Bytes;
use object_store::ObjectMeta;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An object of up to this length is handed over once it is whole. Nearly all archives of robots.txt files are. Of one that
/// changes or breaks off, no record has then been read.
pub(crate) const WHOLE_BYTES: u64 = 8 << 20;

/// So many bytes of the object that somebody waits for are fetched even where others take up the budget.
const WINDOW_BYTES: usize = 8 << 20;

/// How often a reader that waits looks whether it is to stop.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

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
    /// The length of the chunks.
    held: usize,
    known: Option<ObjectMeta>,
    end: Option<Result<(), FetchError>>,
    /// Whether somebody waits for this object.
    is_front: bool,
    /// Whether nobody will read it any more.
    is_closed: bool,
}

impl Buffer {
    pub(crate) fn new(budget: Arc<Budget>) -> Self {
        Buffer { state: Mutex::default(), changed: Condvar::new(), budget }
    }

    fn state(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until more may be fetched.
    pub(crate) async fn room(&self) {
        self.budget
            .room(|| {
                let state = self.state();
                state.is_closed || (state.is_front && state.held < WINDOW_BYTES)
            })
            .await;
    }

    /// Says what object it is.
    pub(crate) fn found(&self, known: ObjectMeta) {
        self.state().known = Some(known);
        self.changed.notify_all();
    }

    pub(crate) fn push(&self, bytes: Bytes) {
        let mut state = self.state();
        if state.is_closed {
            return;
        }
        self.budget.take(bytes.len());
        state.held += bytes.len();
        state.chunks.push_back(bytes);
        self.changed.notify_all();
    }

    /// Says that all was fetched, or why not.
    pub(crate) fn end(&self, end: Result<(), FetchError>) {
        self.state().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Forgets what was fetched. Fails where some of it may have been read.
    pub(crate) fn restart(&self) -> bool {
        let mut state = self.state();
        if !state.is_whole_only() {
            return false;
        }
        self.budget.give(std::mem::take(&mut state.held));
        state.chunks.clear();
        true
    }

    /// Says that somebody waits for the object.
    pub(crate) fn come_to_front(&self) {
        self.state().is_front = true;
        self.budget.look_again();
    }

    /// Says that nobody will read it any more.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.chunks.clear();
        self.budget.give(std::mem::take(&mut state.held));
    }

    /// Waits until it is known what object it is, and, if that is small, until all of it was fetched.
    pub(crate) fn wait_for_object(&self, stop: &AtomicBool) -> Result<ObjectMeta, FetchError> {
        let state = self.wait(stop, |state| match &state.known {
            Some(_) => state.end.is_some() || !state.is_whole_only(),
            None => state.end.is_some(),
        })?;
        match (&state.known, &state.end) {
            (_, Some(Err(error))) if state.is_whole_only() => Err(error.clone()),
            (Some(known), _) => Ok(known.clone()),
            (None, _) => Err(FetchError::unanswered()),
        }
    }

    /// The next bytes; none at the end.
    pub(crate) fn next(&self, stop: &AtomicBool) -> Result<Option<Bytes>, FetchError> {
        let mut state = self.wait(stop, |state| !state.chunks.is_empty() || state.end.is_some())?;
        if let Some(bytes) = state.chunks.pop_front() {
            state.held -= bytes.len();
            drop(state);
            self.budget.give(bytes.len());
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
        is_so: impl Fn(&BufferState) -> bool,
    ) -> Result<MutexGuard<'_, BufferState>, FetchError> {
        let mut state = self.state();
        while !is_so(&state) {
            if stop.load(Ordering::Relaxed) {
                return Err(FetchError::stopped());
            }
            state = self.changed.wait_timeout(state, LOOKS_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(state)
    }
}

impl BufferState {
    /// Whether nothing is handed over before the end.
    fn is_whole_only(&self) -> bool {
        self.known.as_ref().is_none_or(|known| known.size <= WHOLE_BYTES)
    }
}
