//! Content codings, RFC 9110 § 8.4.1: gzip, deflate, br (RFC 7932), zstd (RFC 8878).
//!
//! A coding is decoded only if the bytes have it. gzip and zstd start with a magic number, zlib with a checksum of its
//! header. Raw deflate and br have no such start, so they count only if the bytes are not text and decode without an
//! error.

mod brotli;
mod inflate;
pub(super) mod magic;
mod step;
mod zstandard;

use super::sink::Sink;
use crate::answer::remark::{AnswerRemark, AnswerRemarks};
use inflate::BodyInflater;
use magic::{is_gzip, is_text, is_zlib, is_zstd};
use step::CodedBody;
use zstandard::Unzstd;

pub(super) use step::CodingEnd;

/// A coding that can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// The most octets of an empty file in this coding, if the server flushes it: without that, 20 in gzip, 8 in zlib,
    /// 13 in zstd and 1 in brotli.
    pub(super) fn most_of_nothing(self) -> u64 {
        match self {
            Coding::Gzip => 32,
            Coding::Deflate | Coding::Zstd => 16,
            Coding::Brotli => 6,
        }
    }

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

/// The decoders, each made when it is first needed.
#[derive(Default)]
pub(super) struct Decoders {
    inflater: BodyInflater,
    unzstd: Unzstd,
    /// Decoded bytes before the sink takes them.
    scratch: Vec<u8>,
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
        self.scratch.resize(SCRATCH_BYTES, 0);
        let mut body = CodedBody { rest: source, sink, scratch: &mut self.scratch };
        let end = match coding {
            Coding::Gzip if is_gzip(source) => self.inflater.gzip(&mut body),
            Coding::Zstd if is_zstd(source) => self.unzstd.undo(&mut body),
            Coding::Deflate if is_zlib(source) => self.inflater.zlib(&mut body),
            Coding::Deflate if !is_text(source) => only_if_sound(self.inflater.raw(&mut body), source, &body),
            Coding::Brotli if !is_text(source) || source == EMPTY_BROTLI => {
                only_if_sound(brotli::undo(&mut body), source, &body)
            }
            _ => CodingEnd::Absent,
        };
        if end == CodingEnd::Whole && !body.rest.is_empty() {
            remarks.add(AnswerRemark::CodingTrailed);
        }
        if coding == Coding::Deflate && end != CodingEnd::Absent && !is_zlib(source) {
            remarks.add(AnswerRemark::DeflateRaw);
        }
        end
    }
}

/// For a coding without a magic number, an error means that the bytes do not have it. So does an end before the last
/// byte, unless only blanks, line ends and NUL follow. Both codings can store bytes as they are, and some text in Latin-1
/// reads like the start of a longer stored block: `# \r\n` is one in br. So bytes that are cut short and decode to a part
/// of themselves do not have the coding.
fn only_if_sound(end: CodingEnd, source: &[u8], body: &CodedBody<'_, '_>) -> CodingEnd {
    match end {
        CodingEnd::CutShort if memchr::memmem::find(source, body.sink.kept()).is_some() => CodingEnd::Absent,
        CodingEnd::Damaged => CodingEnd::Absent,
        CodingEnd::Whole if !body.rest.iter().all(|byte| b" \t\r\n\0".contains(byte)) => CodingEnd::Absent,
        end => end,
    }
}

/// Nothing in br, as its encoders write it. It is text, too, but a body of one semicolon means nothing.
const EMPTY_BROTLI: &[u8] = b";";

const SCRATCH_BYTES: usize = 32 * 1024;

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
}
