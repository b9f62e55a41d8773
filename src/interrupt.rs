//! Ctrl-C and SIGTERM: the first signal asks for a clean end, the second ends the process at once. Work that does not hear the
//! first one is ended a little later.

use futures_util::future::{Either, select};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Shells report a killed process as 128 plus the number of the signal.
const KILLED: i32 = 128;

/// Short enough that nobody notices the delay.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// How long work may take to end cleanly. A function that is called for a batch of rows, or a plan, hears nothing meanwhile.
const ENDS_WITHIN: Duration = Duration::from_millis(1400);

/// How long removing temporary files may take then.
const CLEARS_WITHIN: Duration = Duration::from_millis(300);

/// Whether Ctrl-C or SIGTERM came.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    came: Arc<AtomicBool>,
    wake: Arc<Notify>,
}

impl Interrupt {
    /// Listens from now on. Whatever the work does, the process ends within two seconds after the first signal. Call it where
    /// a process that ends at any moment leaves nothing but drafts.
    pub(crate) fn listen() -> io::Result<Self> {
        let interrupt = Interrupt { came: Arc::default(), wake: Arc::default() };
        let last = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order, so that the first signal still finds the flag unset.
            flag::register_conditional_shutdown(signal, KILLED + signal, Arc::clone(&interrupt.came))?;
            flag::register_usize(signal, Arc::clone(&last), signal.unsigned_abs() as usize)?;
            flag::register(signal, Arc::clone(&interrupt.came))?;
        }
        let watched = interrupt.clone();
        // A thread of its own: those of the runtime are all busy in a statement with large batches, and so is its clock.
        thread::Builder::new().name("interrupt".to_owned()).spawn(move || watched.watch(&last))?;
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

    /// The result of the work; nothing if a signal comes first.
    pub(crate) async fn unless<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let came = pin!(async {
            while !self.came.load(Relaxed) {
                self.wake.notified().await;
            }
        });
        match select(pin!(work), came).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// Wakes those that wait for a signal, and ends the process if the work goes on.
    fn watch(&self, last: &AtomicUsize) {
        let mut since: Option<Instant> = None;
        loop {
            thread::sleep(LOOKS_EVERY);
            if !self.came.load(Relaxed) {
                since = None;
                continue;
            }
            // Again and again, since some may have looked just before the signal.
            self.wake.notify_waiters();
            if since.get_or_insert_with(Instant::now).elapsed() >= ENDS_WITHIN {
                end(KILLED + i32::try_from(last.load(Relaxed)).unwrap_or(SIGINT));
            }
        }
    }
}

/// Ends the process. What it was writing has temporary names, as after a power cut.
fn end(code: i32) -> ! {
    // Standard error may be a pipe that nobody reads, and a disk may be slow.
    let clears = thread::Builder::new().spawn(|| {
        let _ = writeln!(io::stderr(), "stopped: robocensus: by Ctrl-C, in the middle of its work");
        analyze::remove_spilled();
        for draft in &*DRAFTS.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = std::fs::remove_file(draft);
        }
    });
    if let Ok(clears) = clears {
        let start = Instant::now();
        while !clears.is_finished() && start.elapsed() < CLEARS_WITHIN {
            thread::sleep(Duration::from_millis(5));
        }
    }
    low_level::exit(code)
}

/// Files that are being written under temporary names.
static DRAFTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file to be removed if the process is ended before this is dropped.
#[derive(Debug)]
pub(crate) struct RemovedAtEnd(PathBuf);

impl RemovedAtEnd {
    pub(crate) fn new(draft: &Path) -> Self {
        DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).insert(draft.to_path_buf());
        RemovedAtEnd(draft.to_path_buf())
    }
}

impl Drop for RemovedAtEnd {
    fn drop(&mut self) {
        DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Lets a write to a file that grows too large for the user's limit fail with an error. The system's signal for that would
/// end the process without a word.
pub(crate) fn report_large_files() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(|_| ())
}
