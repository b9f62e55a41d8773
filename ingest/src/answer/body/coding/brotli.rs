//! Decodes br.

use super::step::{CodedBody, CodingEnd, DecoderState, DecoderStep};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Decodes br. The strict state rejects large windows, which take up to 1 GiB. RFC 7932 does not have them: § 9.1 ends
/// at 16 MiB.
pub(super) fn undo(body: &mut CodedBody<'_, '_>) -> CodingEnd {
    let allocate = StandardAlloc::default;
    let mut state = BrotliState::new_strict(allocate(), allocate(), allocate());
    let mut total = 0;
    let step = |source: &[u8], output: &mut [u8]| {
        let (mut source_left, mut read, mut output_left, mut written) = (source.len(), 0, output.len(), 0);
        let result = BrotliDecompressStream(
            &mut source_left,
            &mut read,
            source,
            &mut output_left,
            &mut written,
            output,
            &mut total,
            &mut state,
        );
        let state = match result {
            BrotliResult::ResultSuccess => DecoderState::End,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => DecoderState::More,
            BrotliResult::ResultFailure => DecoderState::Damaged,
        };
        DecoderStep { read, written, state }
    };
    body.run(step, |_| {})
}
