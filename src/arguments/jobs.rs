//! The value of `--jobs`.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// The number of threads that was typed; without one, the number of cores.
pub(super) fn jobs(typed: Option<NonZeroUsize>) -> NonZeroUsize {
    typed.or(available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
