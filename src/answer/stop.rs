//! Stops work at Ctrl-C.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Whether Ctrl-C was pressed.
#[derive(Debug)]
pub(super) struct Stop(Arc<AtomicBool>);

/// Short enough that nobody notices the delay.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

impl Stop {
    pub(super) fn new(flag: Arc<AtomicBool>) -> Self {
        Stop(flag)
    }

    /// Forgets an earlier Ctrl-C.
    pub(super) fn reset(&self) {
        self.0.store(false, Relaxed);
    }

    /// The result of the work; nothing if Ctrl-C comes first.
    pub(super) async fn unless<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        use futures_util::future::{Either, select};
        let pressed = pin!(async {
            while !self.0.load(Relaxed) {
                tokio::time::sleep(LOOKS_EVERY).await;
            }
        });
        match select(pin!(work), pressed).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }
}
