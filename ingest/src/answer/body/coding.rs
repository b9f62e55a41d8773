//! Content codings, RFC 9110 § 8.4.1: gzip, deflate, br (RFC 7932), zstd (RFC 8878).
//!
//! A coding is decoded only if the bytes have it. gzip and zstd start with a magic number, zlib with a checksum of its
//! header. Raw deflate and br have no such start, so they count only if the bytes are not text and decode without an
//! error.

mod brotli;
mod inflate;
mod zstandard;

use super::sink::Sink;
use crate::answer::remark::{AnswerRemark, AnswerRemarks};
use inflate::BodyInflater;
use zstandard::Unzstd;

/// A coding that can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// The coding with a name, in upper or lower case. RFC 9110 § 8.4.1.3: x-gzip is "equivalent to" gzip.
    pub(super) fn named(name: &[u8]) -> Option<Coding> {
        const NAMES: [(&[u8], Coding); 5] = [
            (b"gzip", Coding::Gzip),
            (b"x-gzip", Coding::Gzip),
            (b"deflate", Coding::Deflate),
            (b"br", Coding::Brotli),
            (b"zstd", Coding::Zstd),
        ];
        NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, coding)| *coding)
    }
}

/// How decoding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodingEnd {
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

/// The decoders, each made when it is first needed.
#[derive(Default)]
pub(super) struct Decoders {
    inflater: BodyInflater,
    unzstd: Unzstd,
    scratch: Scratch,
}

impl Decoders {
    /// Decodes `source`, which has this coding.
    pub(super) fn undo(
        &mut self,
        coding: Coding,
        source: &[u8],
        sink: &mut Sink<'_>,
        remarks: &mut AnswerRemarks,
    ) -> CodingEnd {
        let scratch = &mut self.scratch.0[..];
        let (end, rest) = match coding {
            Coding::Gzip if is_gzip(source) => self.inflater.gzip(source, sink, scratch),
            Coding::Zstd if is_zstd(source) => self.unzstd.undo(source, sink, scratch),
            Coding::Deflate if is_zlib(source) => self.inflater.zlib(source, sink, scratch),
            Coding::Deflate if !is_text(source) => only_if_sound(self.inflater.raw(source, sink, scratch)),
            Coding::Brotli if !is_text(source) => only_if_sound(brotli::undo(source, sink, scratch)),
            _ => (CodingEnd::Absent, &b""[..]),
        };
        if end == CodingEnd::Whole && !rest.is_empty() {
            remarks.add(AnswerRemark::CodingTrailed);
        }
        if coding == Coding::Deflate && end != CodingEnd::Absent && !is_zlib(source) {
            remarks.add(AnswerRemark::DeflateRaw);
        }
        end
    }
}

/// For a coding without a magic number, an error means that the bytes do not have it. So does an end before the last
/// byte.
fn only_if_sound((end, rest): (CodingEnd, &[u8])) -> (CodingEnd, &[u8]) {
    match end {
        CodingEnd::Damaged => (CodingEnd::Absent, rest),
        CodingEnd::Whole if !rest.is_empty() => (CodingEnd::Absent, rest),
        end => (end, rest),
    }
}

/// RFC 1952 § 2.3.1: ID1, ID2, and the only compression method.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b\x08")
}

/// RFC 8878 § 3.1: the magic number of a frame, or of a skippable frame, which may come first.
fn is_zstd(bytes: &[u8]) -> bool {
    matches!(bytes, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// RFC 1950 § 2.2: the method is 8, the window is at most 32 KiB, no dictionary is preset, and both bytes, "when viewed
/// as a 16-bit unsigned integer stored in MSB order", are a multiple of 31.
fn is_zlib(bytes: &[u8]) -> bool {
    let [cmf, flg, ..] = bytes else { return false };
    cmf & 0x0f == 8 && cmf >> 4 <= 7 && flg & 0x20 == 0 && u16::from_be_bytes([*cmf, *flg]).is_multiple_of(31)
}

/// Whether the first bytes are text: UTF-8 without control characters. Encoded bytes rarely look like text for long,
/// and an unencoded robots.txt nearly always does.
fn is_text(bytes: &[u8]) -> bool {
    const LOOK_BYTES: usize = 64;
    let look = bytes.get(..LOOK_BYTES).unwrap_or(bytes);
    let is_utf8 = match std::str::from_utf8(look) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && look.len() < bytes.len(),
    };
    is_utf8 && !look.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

/// The buffer for decoded bytes before the sink takes them.
struct Scratch(Box<[u8]>);

const SCRATCH_BYTES: usize = 32 * 1024;

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch(vec![0; SCRATCH_BYTES].into())
    }
}

/// The result of one call of a decoder.
struct DecoderStep {
    read: usize,
    written: usize,
    state: DecoderState,
}

enum DecoderState {
    More,
    End,
    Damaged,
}

/// Calls a decoder until it ends. Returns how it ended, and the unread rest of the source.
fn run<'s>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name: &str, expected| assert_eq!(Coding::named(name.as_bytes()), expected, "{name}");
        check("gzip", Some(Coding::Gzip));
        check("X-GZip", Some(Coding::Gzip));
        check("deflate", Some(Coding::Deflate));
        check("br", Some(Coding::Brotli));
        check("zstd", Some(Coding::Zstd));
        for name in ["", "identity", "none", "utf-8", "compress", "chunked", "gzipped"] {
            check(name, None);
        }
    }

    #[test]
    fn first_bytes() {
        assert!(is_gzip(b"\x1f\x8b\x08\x00") && !is_gzip(b"\x1f\x8b") && !is_gzip(b"User-agent"));
        assert!(is_zlib(b"\x78\x9c") && is_zlib(b"\x78\x01") && is_zlib(b"\x08\x1d") && !is_zlib(b"x"));
        assert!(!is_zlib(b"# robots") && !is_zlib(b"User-agent: *") && !is_zlib(b"\x78\xbb"));
        assert!(is_zstd(b"\x28\xb5\x2f\xfd") && is_zstd(b"\x5a\x2a\x4d\x18") && !is_zstd(b"(\xb5/"));
        assert!(is_text(b"User-agent: *\r\n\t") && is_text(b"") && is_text("caf\u{e9}".repeat(32).as_bytes()));
        assert!(!is_text(b"a\0") && !is_text(b"caf\xe9 x") && !is_text(b"caf\xc3"));
    }
}
