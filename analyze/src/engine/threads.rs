//! The threads that plan and run statements. Their stacks are large enough for the deepest statement that
//! [`crate::statement`] accepts.

use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;
use tokio::runtime::{Builder, Runtime};

/// DataFusion plans and evaluates expressions by recursion, with one or more calls per nested operator. The system
/// commits only the pages that a thread uses.
const STACK_BYTES: usize = 256 << 20;

/// A runtime with one thread per job.
pub fn runtime(jobs: NonZeroUsize) -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(jobs.get()).thread_stack_size(STACK_BYTES).enable_all().build()
}

/// Runs `work` on a thread with such a stack, for callers that plan statements outside of the runtime.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_err(|panic| resume_unwind(panic))
    })
}
