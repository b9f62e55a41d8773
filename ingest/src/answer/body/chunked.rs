//! Decodes chunks. RFC 9112 § 7.1:
//!
//! ```text
//! chunked-body = *chunk last-chunk trailer-section CRLF
//! chunk        = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
//! last-chunk   = 1*("0") [ chunk-ext ] CRLF
//! ```
//!
//! DIFFERENCE: lines may end in LF, and a size may have blanks around it. Trailers are skipped.

use super::sink::Sink;
use crate::answer::remark::{AnswerRemark, AnswerRemarks};
use memchr::memchr;

/// The result of decoding a body whose head says chunked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dechunked<'a> {
    /// The body is not chunked.
    Absent,
    /// One chunk, which need not be copied.
    One(&'a [u8]),
    /// Several chunks or none, which were written to the sink.
    Written,
}

/// Decodes the chunks of a body.
///
/// A body counts as chunked if its first line is a size, and a line end follows after that many bytes or the body ends
/// earlier. Archives have bodies that are not chunked although their head says so, and such a body may start with
/// `404`. A first chunk of another length than its size is left as it is for that reason, and no line is lost.
pub(super) fn undo<'a>(body: &'a [u8], sink: &mut Sink<'_>, remarks: &mut AnswerRemarks) -> Dechunked<'a> {
    let Some((size, after)) = size_line(body) else { return Dechunked::Absent };
    let (first, end) = chunk(size, after);
    // Lines that end without an empty one may be those of a file, and no trailers.
    if size == 0 && matches!(end, ChunkEnd::Last([]) | ChunkEnd::CutShort) && has_unended_lines(after) {
        return Dechunked::Absent;
    }
    let mut rest = match end {
        ChunkEnd::Eol(rest) => rest,
        ChunkEnd::Last(rest) => {
            if !rest.is_empty() {
                remarks.add(AnswerRemark::CodingTrailed);
            }
            return Dechunked::Written;
        }
        ChunkEnd::CutShort => {
            remarks.add(AnswerRemark::ChunkedCutShort);
            return Dechunked::One(first);
        }
        ChunkEnd::Damaged => return Dechunked::Absent,
    };
    let mut outcome = Dechunked::One(first);
    let damage = loop {
        let Some((size, after)) = size_line(rest) else {
            let is_cut = rest.len() < LONGEST_LINE && memchr(b'\n', rest).is_none();
            break Some(if is_cut { AnswerRemark::ChunkedCutShort } else { AnswerRemark::ChunkedDamaged });
        };
        let (data, end) = chunk(size, after);
        if outcome == Dechunked::One(first) && !data.is_empty() {
            outcome = Dechunked::Written;
            // Chunks decode to less than their own length, so the limit on work never stops them.
            let _ = sink.push(first);
        }
        if outcome == Dechunked::Written {
            let _ = sink.push(data);
        }
        match end {
            ChunkEnd::Eol(after) => rest = after,
            ChunkEnd::Last(after) => break (!after.is_empty()).then_some(AnswerRemark::CodingTrailed),
            ChunkEnd::CutShort => break Some(AnswerRemark::ChunkedCutShort),
            ChunkEnd::Damaged => break Some(AnswerRemark::ChunkedDamaged),
        }
    };
    if let Some(remark) = damage {
        remarks.add(remark);
    }
    outcome
}

/// How a chunk ends, and the bytes after it.
enum ChunkEnd<'a> {
    Eol(&'a [u8]),
    /// It is the last one; these bytes follow its trailers.
    Last(&'a [u8]),
    CutShort,
    Damaged,
}

/// The longest size line, with extensions, in bytes.
const LONGEST_LINE: usize = 4_096;

/// The size on the first line of `body`, and the bytes after that line. RFC 9112 § 7.1: `chunk-size = 1*HEXDIG`.
fn size_line(body: &[u8]) -> Option<(u64, &[u8])> {
    let end = memchr(b'\n', body.get(..LONGEST_LINE).unwrap_or(body))?;
    let (line, after) = body.split_at_checked(end)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let size = match memchr(b';', line) {
        Some(extension) => line.get(..extension)?,
        None => line,
    };
    let size = size.trim_ascii();
    let add = |sum: u64, digit: &u8| Some(sum.checked_mul(16)? + u64::from((*digit as char).to_digit(16)?));
    let number = size.iter().try_fold(0, add)?;
    (!size.is_empty()).then_some((number, after.get(1..)?))
}

/// The data of a chunk with this size, and how it ends.
fn chunk(size: u64, body: &[u8]) -> (&[u8], ChunkEnd<'_>) {
    if size == 0 {
        return (b"", skip_trailers(body).map_or(ChunkEnd::CutShort, ChunkEnd::Last));
    }
    let Some((data, after)) = usize::try_from(size).ok().and_then(|size| body.split_at_checked(size)) else {
        return (body, ChunkEnd::CutShort);
    };
    let end = match after {
        [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => ChunkEnd::Eol(rest),
        [] | [b'\r'] => ChunkEnd::CutShort,
        _ => ChunkEnd::Damaged,
    };
    (data, end)
}

/// Whether there are lines without an empty line at their end.
fn has_unended_lines(after: &[u8]) -> bool {
    let is_ended = after.ends_with(b"\n\n") || after.ends_with(b"\n\r\n");
    !matches!(after, b"" | b"\n" | b"\r" | b"\r\n") && !is_ended
}

/// The bytes after the empty line that ends the trailers. Many servers and archives omit that line.
fn skip_trailers(mut body: &[u8]) -> Option<&[u8]> {
    loop {
        match body {
            [] => return Some(body),
            [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => return Some(rest),
            [b'\r'] => return None,
            _ => {}
        }
        body = body.get(memchr(b'\n', body)? + 1..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Option<&str>, expected_remarks: &[AnswerRemark]) {
        let (mut kept, mut work_left, mut remarks) = (Vec::new(), u64::MAX, AnswerRemarks::default());
        let outcome = undo(body.as_bytes(), &mut Sink::new(&mut kept, &mut work_left), &mut remarks);
        let found = match outcome {
            Dechunked::Absent => None,
            Dechunked::One(chunk) => Some(chunk),
            Dechunked::Written => Some(&kept[..]),
        };
        assert_eq!(found.map(|found| String::from_utf8_lossy(found)).as_deref(), expected, "{body:?}");
        assert_eq!(remarks.iter().collect::<Vec<_>>(), expected_remarks, "{body:?}");
    }

    #[test]
    fn whole() {
        check("4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n", Some("Wikipedia"), &[]);
        check("4\r\nWiki\r\n0\r\n\r\n", Some("Wiki"), &[]);
        check("4\nWiki\n5\npedia\n0\n\n", Some("Wikipedia"), &[]);
        check("0\r\n\r\n", Some(""), &[]);
        check("000\r\n\r\n", Some(""), &[]);
        check("0\r\n", Some(""), &[]);
        check("0\r\nExpires: 0\r\n\r\n", Some(""), &[]);
        check("a\r\n0123456789\r\n0\r\n\r\n", Some("0123456789"), &[]);
        check("0000000000000000000000000000000A\r\n0123456789\r\n0\r\n\r\n", Some("0123456789"), &[]);
        check("4;a=b;c\r\nWiki\r\n0;x\r\n\r\n", Some("Wiki"), &[]);
        check("4  \r\nWiki\r\n 0\r\n\r\n", Some("Wiki"), &[]);
        check("4\r\n4\r\n1\r\n0\r\n\r\n", Some("4\r\n1"), &[]);
        check("4\r\nWiki\r\n0\r\nExpires: 0\r\nX: y\r\n\r\n", Some("Wiki"), &[]);
        check("4\r\nWiki\r\n0\r\n", Some("Wiki"), &[]);
        check("4\r\nWiki\r\n0\r\n\r\nmore", Some("Wiki"), &[AnswerRemark::CodingTrailed]);
    }

    #[test]
    fn absent() {
        for body in [
            "User-agent: *\n",
            "",
            "4",
            "\r\n4\r\nWiki\r\n",
            "0x4\r\nWiki\r\n",
            "-4\r\nWiki\r\n",
            ";4\r\nWiki\r\n",
            "4 4\r\nWiki\r\n",
            "10000000000000000\r\nWiki\r\n",
            "4\r\nWikipedia",
            "0\nUser-agent: *\nDisallow: /\n",
            "0\r\nUser-agent: *",
        ] {
            check(body, None, &[]);
        }
        check(&format!("4;{}\r\nWiki\r\n", "x".repeat(LONGEST_LINE)), None, &[]);
    }

    #[test]
    fn cut_short() {
        for (body, kept) in [
            ("404\n", ""),
            ("4\r\n", ""),
            ("4\r\nWi", "Wi"),
            ("4\r\nWiki", "Wiki"),
            ("4\r\nWiki\r", "Wiki"),
            ("4\r\nWiki\r\n", "Wiki"),
            ("4\r\nWiki\r\n5", "Wiki"),
            ("4\r\nWiki\r\n5\r\nped", "Wikiped"),
            ("4\r\nWiki\r\nffffffffffffffff\r\nped", "Wikiped"),
            ("4\r\nWiki\r\n0\r\nExpi", "Wiki"),
            ("4\r\nWiki\r\n0\r\n\r", "Wiki"),
        ] {
            check(body, Some(kept), &[AnswerRemark::ChunkedCutShort]);
        }
    }

    #[test]
    fn damaged() {
        check("4\r\nWiki\r\nhello\r\n", Some("Wiki"), &[AnswerRemark::ChunkedDamaged]);
        check("4\r\nWiki\r\n5\r\npediaX0\r\n\r\n", Some("Wikipedia"), &[AnswerRemark::ChunkedDamaged]);
        check("4\r\nWiki\r\n10000000000000000\r\nx", Some("Wiki"), &[AnswerRemark::ChunkedDamaged]);
    }
}
