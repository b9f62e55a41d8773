//! How much of an expensive test runs: all of it with `ROBOCENSUS_FULL=1`, otherwise a representative part.

/// Whether this is the full run.
#[must_use]
pub fn is_full() -> bool {
    std::env::var_os("ROBOCENSUS_FULL").is_some_and(|value| value == "1")
}

/// Whether this is the full run. Otherwise the running test, or a part of it, is skipped.
#[must_use]
pub fn is_full_or_skipped() -> bool {
    if !is_full() {
        crate::skipped("ROBOCENSUS_FULL is not 1");
    }
    is_full()
}

/// The step between numbered cases that are tried: 1 in the full run.
#[must_use]
pub fn step(otherwise: usize) -> usize {
    if is_full() { 1 } else { otherwise }
}
