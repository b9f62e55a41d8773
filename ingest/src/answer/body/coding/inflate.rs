//! Decodes gzip and deflate, with one inflater that is reused.

use super::magic::is_gzip;
use super::step::{CodedBody, CodingEnd, DecoderState, DecoderStep};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// An inflater.
#[derive(Default)]
pub(super) struct BodyInflater(Option<Decompress>);

impl BodyInflater {
    /// Inflates the members of a gzip body. RFC 1952 § 2.2: "A gzip file consists of a series of members". Other bytes
    /// after the last member are not read.
    pub(super) fn gzip(&mut self, body: &mut CodedBody<'_, '_>) -> CodingEnd {
        loop {
            let Some(deflated) = skip_header(body.rest) else { return CodingEnd::CutShort };
            body.rest = deflated;
            let mut crc = Crc::new();
            let end = self.inflate(false, body, |bytes| crc.update(bytes));
            if end != CodingEnd::Whole {
                return end;
            }
            // RFC 1952 § 2.3.1: CRC32, and ISIZE, "the size of the original (uncompressed) input data modulo 2^32".
            let Some((trailer, after)) = body.rest.split_first_chunk::<8>() else { return CodingEnd::CutShort };
            body.rest = after;
            let expected = u64::from(crc.sum()) | u64::from(crc.amount()) << 32;
            if u64::from_le_bytes(*trailer) != expected {
                return CodingEnd::Damaged;
            }
            if !is_gzip(body.rest) {
                return CodingEnd::Whole;
            }
        }
    }

    /// RFC 9110 § 8.4.1.2: deflate is "a "zlib" data format".
    pub(super) fn zlib(&mut self, body: &mut CodedBody<'_, '_>) -> CodingEnd {
        self.inflate(true, body, |_| {})
    }

    /// RFC 9110 § 8.4.1.2: "Some non-conformant implementations send the "deflate" compressed data without the zlib
    /// wrapper."
    pub(super) fn raw(&mut self, body: &mut CodedBody<'_, '_>) -> CodingEnd {
        self.inflate(false, body, |_| {})
    }

    fn inflate(&mut self, has_zlib_header: bool, body: &mut CodedBody<'_, '_>, see: impl FnMut(&[u8])) -> CodingEnd {
        let inflater = self.0.get_or_insert_with(|| Decompress::new(has_zlib_header));
        inflater.reset(has_zlib_header);
        let step = |source: &[u8], buffer: &mut [u8]| {
            let (read, written) = (inflater.total_in(), inflater.total_out());
            let state = match inflater.decompress(source, buffer, FlushDecompress::None) {
                Ok(Status::Ok | Status::BufError) => DecoderState::More,
                Ok(Status::StreamEnd) => DecoderState::End,
                Err(_) => DecoderState::Damaged,
            };
            // Both are at most the length of a slice.
            let length = |total: u64, before: u64| (total - before) as usize;
            DecoderStep {
                read: length(inflater.total_in(), read),
                written: length(inflater.total_out(), written),
                state,
            }
        };
        body.run(step, see)
    }
}

/// The bytes after the header of a gzip member. RFC 1952 § 2.3.
fn skip_header(member: &[u8]) -> Option<&[u8]> {
    const FHCRC: u8 = 1 << 1;
    const FEXTRA: u8 = 1 << 2;
    const FNAME: u8 = 1 << 3;
    const FCOMMENT: u8 = 1 << 4;
    let (header, mut rest) = member.split_first_chunk::<10>()?;
    let [_, _, _, flags, ..] = *header;
    if flags & FEXTRA != 0 {
        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 {
            rest = rest.get(memchr::memchr(0, rest)? + 1..)?;
        }
    }
    if flags & FHCRC != 0 { rest.get(2..) } else { Some(rest) }
}
