//! Wakes a task at intervals from a thread of its own. The runtime's timers do not run while all its threads are busy.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tokio::sync::Notify;

/// Wakes a task until it is dropped.
pub(super) struct Ticker {
    tick: Arc<Notify>,
    /// The thread ends when this is dropped.
    _ends: mpsc::Sender<()>,
}

impl Ticker {
    pub(super) fn start(every: Duration) -> io::Result<Self> {
        let tick = Arc::new(Notify::new());
        let (ends, ended) = mpsc::channel();
        let woken = Arc::clone(&tick);
        thread::Builder::new().name("ticker".to_owned()).spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                woken.notify_one();
            }
        })?;
        Ok(Ticker { tick, _ends: ends })
    }

    /// The result of `work`; `None` if a tick comes first.
    pub(super) async fn unless<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        use futures_util::future::{Either, select};
        use std::pin::pin;
        match select(pin!(work), pin!(self.tick.notified())).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }
}
