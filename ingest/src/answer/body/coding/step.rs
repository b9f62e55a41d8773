//! A coded body, and decoders that are called step by step.

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

/// A coded body, with the sink for what it decodes to.
pub(super) struct CodedBody<'b, 's> {
    /// The bytes that were not read yet.
    pub(super) rest: &'b [u8],
    pub(super) sink: &'b mut Sink<'s>,
    /// Decoded bytes before the sink takes them.
    pub(super) scratch: &'b mut [u8],
}

impl CodedBody<'_, '_> {
    /// Calls a decoder until it ends. `see` gets the decoded bytes, too.
    pub(super) fn run(
        &mut self,
        mut step: impl FnMut(&[u8], &mut [u8]) -> DecoderStep,
        mut see: impl FnMut(&[u8]),
    ) -> CodingEnd {
        loop {
            let DecoderStep { read, written, state } = step(self.rest, self.scratch);
            self.rest = self.rest.get(read..).unwrap_or_default();
            let decoded = self.scratch.get(..written).unwrap_or_default();
            see(decoded);
            let is_stopped = self.sink.push(decoded).is_break();
            match state {
                DecoderState::End => return CodingEnd::Whole,
                DecoderState::Damaged => return CodingEnd::Damaged,
                DecoderState::More if is_stopped => return CodingEnd::Stopped,
                DecoderState::More if read == 0 && written == 0 => return CodingEnd::CutShort,
                DecoderState::More => {}
            }
        }
    }
}
