//! The threads that plan and run statements. Their stacks fit the deepest statement that [`crate::statement`] lets through.

use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;
use tokio::runtime::{Builder, Runtime};

/// DataFusion plans and computes an expression by calls within calls, one or more for each operator. The system gives a
/// thread only the pages that it uses.
const STACK_BYTES: usize = 256 << 20;

/// A runtime with as many threads for statements as there are jobs.
pub fn runtime(jobs: NonZeroUsize) -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(jobs.get()).thread_stack_size(STACK_BYTES).enable_all().build()
}

/// Runs `work` on a thread of its own. For what plans statements outside of the runtime's threads.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_err(|panic| resume_unwind(panic))
    })
}
