//! Ctrl-C, SIGTERM, and SIGHUP when a terminal is closed: the first signal asks for a clean end, the second ends the
//! process immediately. If the work does not react to the first signal, the process ends soon after.

use folder::Failure;
use futures_util::future::{Either, select};
use parking_lot::Mutex;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Shells report a killed process as 128 plus the number of the signal.
const KILLED: i32 = 128;

/// Short enough that nobody notices the delay.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long work may take to end cleanly. Planning, and a function call on a batch of rows, cannot be interrupted.
const GRACE_PERIOD: Duration = Duration::from_millis(1400);

/// How long removing temporary files may take after that.
const CLEANUP_LIMIT: Duration = Duration::from_millis(300);

/// Whether a signal came that asks for an end.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    came: Arc<AtomicBool>,
    wake: Arc<Notify>,
}

impl Interrupt {
    /// Starts to listen. Whatever the work does, the process ends within two seconds after the first signal. Only for
    /// work that can be killed at any moment without leaving more than temporary files. Later calls return the same.
    pub(crate) fn listen() -> Result<Self, Failure> {
        static LISTENING: Mutex<Option<Interrupt>> = Mutex::new(None);
        let mut listening = LISTENING.lock();
        if let Some(interrupt) = &*listening {
            return Ok(interrupt.clone());
        }
        let interrupt = Interrupt::start()?;
        *listening = Some(interrupt.clone());
        Ok(interrupt)
    }

    fn start() -> Result<Self, Failure> {
        let interrupt = Interrupt { came: Arc::default(), wake: Arc::default() };
        let last = Arc::clone(&LAST);
        let signals = [SIGINT, SIGTERM, SIGHUP];
        for signal in signals.into_iter().filter(|signal| *signal != SIGHUP || !hangups_are_ignored()) {
            // The order matters: at the first signal, the shutdown must still find the flag unset.
            flag::register_conditional_shutdown(signal, KILLED + signal, Arc::clone(&interrupt.came))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&last), signal.unsigned_abs() as usize))
                .and_then(|_| flag::register(signal, Arc::clone(&interrupt.came)))
                .map_err(Failure::at("signals cannot be received", Path::new("robocensus")))?;
        }
        let watched = interrupt.clone();
        // A separate thread: a statement with large batches can block all threads of the runtime, and its timer with
        // them.
        let started = thread::Builder::new().name("interrupt".to_owned()).spawn(move || watched.watch());
        started.map_err(Failure::at("thread cannot be started", Path::new("interrupt")))?;
        Ok(interrupt)
    }

    /// A flag that is set at the first signal.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.came
    }

    /// Forgets an earlier signal.
    pub(crate) fn reset(&self) {
        self.came.store(false, Relaxed);
    }

    /// The result of the work; `None` if a signal comes first.
    pub(crate) async fn unless<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let came = pin!(async {
            while !self.came.load(Relaxed) {
                self.wake.notified().await;
            }
        });
        // The signal first: work that gives batches faster than they are written is always ready.
        match select(came, pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((done, _)) => Some(done),
        }
    }

    /// Wakes the tasks that wait for a signal, and ends the process if the work continues.
    fn watch(&self) {
        let mut since: Option<Instant> = None;
        loop {
            thread::sleep(POLL_INTERVAL);
            if !self.came.load(Relaxed) {
                since = None;
                continue;
            }
            // Repeatedly, because a task may check the flag just before the signal and start to wait just after.
            self.wake.notify_waiters();
            if since.get_or_insert_with(Instant::now).elapsed() >= GRACE_PERIOD {
                end(KILLED + last());
            }
        }
    }
}

/// The number of the last signal.
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

fn last() -> i32 {
    i32::try_from(LAST.load(Relaxed)).unwrap_or(SIGINT)
}

/// What stopped the work, for messages.
pub(crate) fn cause() -> &'static str {
    match last() {
        SIGTERM => "by SIGTERM",
        SIGHUP => "by SIGHUP",
        _ => "by Ctrl-C",
    }
}

/// Whether the program was started by `nohup`, which means that it continues when the terminal is closed.
fn hangups_are_ignored() -> bool {
    // One bit for each signal. Without such a file, a hangup ends the process as it does by default.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_none_or(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Ends the process. Unfinished files have temporary names, as after a power cut.
fn end(code: i32) -> ! {
    // On a thread with a time limit: standard error may be a pipe that nobody reads, and the disk may be slow.
    let cleanup = thread::Builder::new().spawn(|| {
        let _ = writeln!(io::stderr(), "stopped: robocensus: {}, in the middle of its work", cause());
        analyze::remove_spilled();
        for draft in &*DRAFTS.lock() {
            let _ = std::fs::remove_file(draft);
        }
    });
    if let Ok(cleanup) = cleanup {
        let start = Instant::now();
        while !cleanup.is_finished() && start.elapsed() < CLEANUP_LIMIT {
            thread::sleep(Duration::from_millis(5));
        }
    }
    low_level::exit(code)
}

/// Files that are being written under temporary names.
static DRAFTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is removed if the process ends on a signal before this is dropped.
#[derive(Debug)]
pub(crate) struct RemovedAtEnd(PathBuf);

impl RemovedAtEnd {
    pub(crate) fn new(draft: &Path) -> Self {
        DRAFTS.lock().insert(draft.to_path_buf());
        RemovedAtEnd(draft.to_path_buf())
    }
}

impl Drop for RemovedAtEnd {
    fn drop(&mut self) {
        DRAFTS.lock().remove(&self.0);
    }
}

/// Makes a write beyond the user's file size limit fail with an error. By default, SIGXFSZ kills the process without a
/// message.
pub(crate) fn report_large_files() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_comes_before_work_that_is_ready() {
        let interrupt = Interrupt { came: Arc::default(), wake: Arc::default() };
        let ready = || futures_util::future::ready(1);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(interrupt.unless(ready())), Some(1));
        interrupt.came.store(true, Relaxed);
        assert_eq!(runtime.block_on(interrupt.unless(ready())), None);
    }
}
