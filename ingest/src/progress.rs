//! How far a run is: counts that the workers add to and another thread reads. For a check, the inputs are the files of
//! the tables, and the archives if it reads them again.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a run is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes to read; known once there is a plan.
    pub bytes_in_all: AtomicU64,
    /// Inputs to read.
    pub inputs_in_all: AtomicU64,
    /// Bytes that were read.
    pub bytes: AtomicU64,
    /// Inputs that were read.
    pub inputs: AtomicU64,
    /// Captures that were found.
    pub captures: AtomicU64,
    /// Inputs that are damaged or could not be read.
    pub damaged_inputs: AtomicU64,
}

impl Progress {
    pub(crate) fn add(sum: &AtomicU64, more: u64) {
        // Relaxed, since each count is read on its own and nothing else depends on it.
        sum.fetch_add(more, Ordering::Relaxed);
    }

    /// Takes back what was counted for a part, because the part is read again.
    pub(crate) fn take_back(&self, part: &Progress) {
        for (sum, less) in [
            (&self.bytes, &part.bytes),
            (&self.inputs, &part.inputs),
            (&self.captures, &part.captures),
            (&self.damaged_inputs, &part.damaged_inputs),
        ] {
            sum.fetch_sub(less.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}
