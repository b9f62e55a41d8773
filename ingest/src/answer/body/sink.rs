//! Where decoded bytes go: what is kept is bounded, what is counted is bounded as well, further up.

use super::KEPT_BYTES;
use std::ops::ControlFlow;

/// Takes what is decoded of one coding.
pub(super) struct Sink<'a> {
    kept: &'a mut Vec<u8>,
    total_bytes: u64,
    work_left: &'a mut u64,
}

impl<'a> Sink<'a> {
    /// An empty one over a buffer, and over the work that is left for the body.
    pub(super) fn new(kept: &'a mut Vec<u8>, work_left: &'a mut u64) -> Sink<'a> {
        kept.clear();
        Sink { kept, total_bytes: 0, work_left }
    }

    /// Takes bytes, keeps what there is room for, and says whether to go on.
    pub(super) fn push(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let kept = self.kept.len();
        let part = bytes.get(..KEPT_BYTES.saturating_sub(kept)).unwrap_or(bytes);
        // It doubles as a vector does, and stops at what is kept, where a vector would go on to twice as much.
        if kept + part.len() > self.kept.capacity() {
            let wanted = (self.kept.capacity() * 2).min(KEPT_BYTES).max(kept + part.len());
            self.kept.reserve_exact(wanted - kept);
        }
        self.kept.extend_from_slice(part);
        self.total_bytes += bytes.len() as u64;
        *self.work_left = self.work_left.saturating_sub(bytes.len() as u64);
        if *self.work_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// How many bytes were taken, those that were not kept among them.
    pub(super) fn total_bytes(&self) -> u64 {
        self.total_bytes
    }
}
