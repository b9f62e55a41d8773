//! Decodes zstd, with one decoder that is reused.

use super::magic::is_zstd;
use super::step::{CodedBody, CodingEnd, DecoderState, DecoderStep};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// A zstd decoder.
#[derive(Default)]
pub(super) struct Unzstd(Option<Decoder<'static>>);

/// RFC 9659 § 3: for this content coding, "decoders MUST support a Window_Size of up to and including 8 MB", and
/// encoders must not need more. The decoder allocates what a frame needs, so larger windows are rejected.
const WINDOW_LOG: u32 = 23;

impl Unzstd {
    /// Decodes the frames of a body. RFC 8878 § 3: it is "made up of one or more frames". Skippable frames give no
    /// bytes.
    pub(super) fn undo(&mut self, body: &mut CodedBody<'_, '_>) -> CodingEnd {
        loop {
            let end = self.frame(body);
            if end != CodingEnd::Whole || !is_zstd(body.rest) {
                return end;
            }
        }
    }

    fn frame(&mut self, body: &mut CodedBody<'_, '_>) -> CodingEnd {
        let Some(decoder) = self.ready() else { return CodingEnd::Damaged };
        // The decoder returns how much it wants next: one block. So damage costs one block, not all blocks of a call.
        let mut wanted = FIRST_BYTES;
        let step = |source: &[u8], buffer: &mut [u8]| {
            let mut input = InBuffer::around(source.get(..wanted).unwrap_or(source));
            let mut output = OutBuffer::around(buffer);
            let result = decoder.run(&mut input, &mut output);
            let state = match result {
                Ok(0) => DecoderState::End,
                Ok(hint) => {
                    wanted = hint;
                    DecoderState::More
                }
                Err(_) => DecoderState::Damaged,
            };
            DecoderStep { read: input.pos(), written: output.pos(), state }
        };
        body.run(step, |_| {})
    }

    fn ready(&mut self) -> Option<&mut Decoder<'static>> {
        if self.0.is_none() {
            let mut decoder = Decoder::new().ok()?;
            decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).ok()?;
            self.0 = Some(decoder);
        }
        let decoder = self.0.as_mut()?;
        decoder.reinit().ok()?;
        Some(decoder)
    }
}

/// The shortest start of a frame, in bytes.
const FIRST_BYTES: usize = 5;
