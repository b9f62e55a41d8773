//! Calls a decoder step by step.

use crate::answer::body::sink::Sink;

/// How decoding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::answer::body) enum CodingEnd {
    /// At the end of the coded body.
    Whole,
    /// Before the start: the body does not have this coding.
    Absent,
    /// At the end of the bytes, before the end of the coded body.
    CutShort,
    /// At damaged bytes or a wrong checksum.
    Damaged,
    /// At the limit on work.
    Stopped,
}

/// The result of one call of a decoder.
pub(super) struct DecoderStep {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) state: DecoderState,
}

pub(super) enum DecoderState {
    More,
    End,
    Damaged,
}

/// Calls a decoder until it ends. Returns how it ended, and the unread rest of the source.
pub(super) fn run<'s>(
    mut source: &'s [u8],
    sink: &mut Sink<'_>,
    scratch: &mut [u8],
    mut step: impl FnMut(&[u8], &mut [u8]) -> DecoderStep,
    mut see: impl FnMut(&[u8]),
) -> (CodingEnd, &'s [u8]) {
    loop {
        let DecoderStep { read, written, state } = step(source, scratch);
        source = source.get(read..).unwrap_or_default();
        let decoded = scratch.get(..written).unwrap_or_default();
        see(decoded);
        let is_stopped = sink.push(decoded).is_break();
        match state {
            DecoderState::End => return (CodingEnd::Whole, source),
            DecoderState::Damaged => return (CodingEnd::Damaged, source),
            DecoderState::More if is_stopped => return (CodingEnd::Stopped, source),
            DecoderState::More if read == 0 && written == 0 => return (CodingEnd::CutShort, source),
            DecoderState::More => {}
        }
    }
}
