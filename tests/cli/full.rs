//! How much of an expensive test runs: all of it with `ROBOCENSUS_FULL=1`, otherwise a representative part.

/// Whether this is the full run.
pub(crate) fn is_full() -> bool {
    std::env::var_os("ROBOCENSUS_FULL").is_some_and(|value| value == "1")
}

/// The step between numbered cases that are tried: 1 in the full run.
pub(crate) fn step(otherwise: usize) -> usize {
    if is_full() { 1 } else { otherwise }
}
