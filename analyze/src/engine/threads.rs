//! The threads that plan and run statements. Their stacks are large enough for the deepest statement that
//! [`crate::statement`] accepts.

use folder::Failure;
use parking_lot::Mutex;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// DataFusion plans and evaluates expressions by recursion, with one or more calls per nested operator. The system
/// commits only the pages that a thread uses.
const STACK_BYTES: usize = 256 << 20;

/// How long a thread that may block waits for more work: as long as any command takes.
const WAITS_FOR: Duration = Duration::from_secs(1 << 30);

/// A runtime with one thread per job, and one for work that may block. It starts more of the latter if it can.
///
/// Fails if the system does not start that many threads, such as under a limit of the address space.
pub fn runtime(jobs: NonZeroUsize) -> Result<Runtime, Failure> {
    // Without them, tokio panics or waits forever: https://github.com/tokio-rs/tokio/issues/6167
    try_threads(jobs.get() + 1).map_err(Failure::of_threads(jobs))?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(jobs.get())
        .thread_stack_size(STACK_BYTES)
        .thread_keep_alive(WAITS_FOR)
        .enable_all()
        .build()
        .map_err(Failure::of_threads(jobs))?;
    // While one such thread exists, work waits for it if no other can be started.
    drop(runtime.spawn_blocking(|| ()));
    Ok(runtime)
}

/// Starts threads, as many at a time, and ends them.
fn try_threads(count: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock();
        let started = (0..count).try_for_each(|_| {
            let wait = || drop(gate.lock());
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, wait).map(drop)
        });
        drop(closed);
        started
    })
}

/// Runs `work` on a thread of its own with such a stack. Unlike work on a thread of the runtime, it may wait for work
/// that may block. Fails if the thread cannot be started, or panics.
pub async fn on_own_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let (done, result) = oneshot::channel();
    thread::Builder::new().stack_size(STACK_BYTES).spawn(move || done.send(work()))?;
    result.await.map_err(|_| io::Error::other("its thread panicked"))
}

/// Runs `work` on a thread with such a stack, for callers that plan statements outside of the runtime.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_err(|panic| resume_unwind(panic))
    })
}
