//! Takes decoded bytes: it keeps a limited number, counts all, and stops the decoder at the limit on work.

use std::ops::ControlFlow;

/// How many bytes of a decoded body are kept: as many as are parsed. The rest is only counted.
pub const KEPT_BYTES: usize = robots::limits::HARD_CAP_BYTES;

/// Takes the output of one decoder.
pub(super) struct Sink<'a> {
    kept: &'a mut Vec<u8>,
    total_bytes: u64,
    work_left: &'a mut u64,
}

impl<'a> Sink<'a> {
    /// An empty sink with a buffer, and the work that is left for the body.
    pub(super) fn new(kept: &'a mut Vec<u8>, work_left: &'a mut u64) -> Sink<'a> {
        kept.clear();
        Sink { kept, total_bytes: 0, work_left }
    }

    /// Takes bytes and keeps those that fit. Breaks at the limit on work.
    pub(super) fn push(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let kept = self.kept.len();
        let part = bytes.get(..KEPT_BYTES.saturating_sub(kept)).unwrap_or(bytes);
        // It doubles like a vector, but never beyond what is kept.
        if kept + part.len() > self.kept.capacity() {
            let wanted = (self.kept.capacity() * 2).min(KEPT_BYTES).max(kept + part.len());
            self.kept.reserve_exact(wanted - kept);
        }
        self.kept.extend_from_slice(part);
        self.total_bytes += bytes.len() as u64;
        *self.work_left = self.work_left.saturating_sub(bytes.len() as u64);
        if *self.work_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The bytes that were kept.
    pub(super) fn kept(&self) -> &[u8] {
        self.kept
    }

    /// How many bytes were taken, kept or not.
    pub(super) fn total_bytes(&self) -> u64 {
        self.total_bytes
    }
}
