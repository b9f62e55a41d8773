//! The value of `--jobs`.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread::available_parallelism;

/// The most threads that can be asked for. Some systems start no more than a few thousand.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

/// A number of threads, as typed.
pub(super) fn thread_count(typed: &str) -> Result<NonZeroUsize, String> {
    count_up_to(MOST_JOBS, typed)
}

/// A number from 1 to `most`, as typed.
pub(super) fn count_up_to<N: Copy + FromStr + PartialOrd + Display>(most: N, typed: &str) -> Result<N, String> {
    match typed.parse() {
        Ok(count) if count <= most => Ok(count),
        _ => Err(format!("it is not a whole number from 1 to {most}")),
    }
}

/// The number of threads that was typed; without one, the number of cores.
pub(super) fn jobs(typed: Option<NonZeroUsize>) -> NonZeroUsize {
    typed.or(available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
