//! The value of `--jobs`.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// The most threads that can be asked for. Some systems start no more than a few thousand.
const MOST_JOBS: usize = 1024;

/// A number of threads, as typed.
pub(super) fn thread_count(typed: &str) -> Result<NonZeroUsize, String> {
    typed
        .parse()
        .ok()
        .filter(|jobs: &NonZeroUsize| jobs.get() <= MOST_JOBS)
        .ok_or_else(|| format!("it is not a whole number from 1 to {MOST_JOBS}"))
}

/// The number of threads that was typed; without one, the number of cores.
pub(super) fn jobs(typed: Option<NonZeroUsize>) -> NonZeroUsize {
    typed.or(available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
