//! The memory for bytes that are fetched ahead of their readers.

use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// Counts the bytes that are fetched and not yet read, against a limit.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    used: AtomicUsize,
    changed: Notify,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        Budget { limit, used: AtomicUsize::new(0), changed: Notify::new() }
    }

    pub(crate) fn add(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::SeqCst);
    }

    pub(crate) fn release(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::SeqCst);
        self.wake();
    }

    /// Wakes the tasks in `wait_for_space`, which then check again.
    pub(crate) fn wake(&self) {
        self.changed.notify_waiters();
    }

    fn has_space(&self) -> bool {
        self.used.load(Ordering::SeqCst) < self.limit
    }

    /// Waits until fewer bytes than the limit are in memory, or until `is_exempt` returns true.
    pub(crate) async fn wait_for_space(&self, is_exempt: impl Fn() -> bool) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Before the check, so that no change is missed.
            changed.as_mut().enable();
            if self.has_space() || is_exempt() {
                return;
            }
            changed.await;
        }
    }
}
