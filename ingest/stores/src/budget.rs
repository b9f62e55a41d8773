//! The memory for what is fetched ahead.

use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// How many bytes are in memory that were fetched and not yet read.
#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    used: AtomicUsize,
    changed: Notify,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Self {
        Budget { most, used: AtomicUsize::new(0), changed: Notify::new() }
    }

    pub(crate) fn take(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::SeqCst);
    }

    pub(crate) fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::SeqCst);
        self.look_again();
    }

    /// Wakes those who wait, since somebody may go on.
    pub(crate) fn look_again(&self) {
        self.changed.notify_waiters();
    }

    fn has_room(&self) -> bool {
        self.used.load(Ordering::SeqCst) < self.most
    }

    /// Waits until there is room, or until somebody may go on without it.
    pub(crate) async fn room(&self, needs_none: impl Fn() -> bool) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Before looking, so that no change is missed.
            changed.as_mut().enable();
            if self.has_room() || needs_none() {
                return;
            }
            changed.await;
        }
    }
}
