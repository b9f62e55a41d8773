//! The encoding and the kind of a body.

use crate::words::words;
use std::borrow::Cow;

words! {
    /// How the text of a body is encoded.
    Encoding {
        /// No byte above 0x7F.
        Ascii "ascii",
        /// UTF-8, with at least one byte above 0x7F.
        Utf8 "utf-8",
        /// UTF-16, little-endian, by its byte order mark.
        Utf16Le "utf-16le",
        /// UTF-16, big-endian, by its byte order mark.
        Utf16Be "utf-16be",
        /// None of these.
        Other "other",
    }
}

impl Encoding {
    pub(crate) fn is_utf16(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }
}

words! {
    /// How the lines of a body end.
    LineEndings {
        /// No line has an end.
        None "none",
        /// LF.
        Lf "lf",
        /// CR LF.
        CrLf "crlf",
        /// CR.
        Cr "cr",
        /// More than one kind.
        Mixed "mixed",
    }
}

words! {
    /// The kind of document that a body is.
    BodyKind {
        /// At least one user-agent line, rule, or named record, and no markup before them. After JSON, a record alone
        /// does not count.
        Robots "robots",
        /// A web page, by its first characters. It may contain rules.
        Html "html",
        /// XML, by its first characters.
        Xml "xml",
        /// JSON, by its first character, without user-agent lines and rules.
        Json "json",
        /// Not text: it has the magic number of a known format, or more than a tenth of it is control characters.
        Binary "binary",
        /// Nothing, or white space only.
        Empty "empty",
        /// Comments only.
        CommentsOnly "comments_only",
        /// Other text.
        Text "text",
    }
}

impl BodyKind {
    /// Whether the body may be a robots.txt, and not another kind of file in its place.
    #[must_use]
    pub fn may_be_robots(self) -> bool {
        !matches!(self, BodyKind::Html | BodyKind::Xml | BodyKind::Json | BodyKind::Binary)
    }

    /// The kind by the first bytes of a text; `None` if they could start a robots.txt.
    pub(crate) fn sniff(text: &[u8]) -> Option<BodyKind> {
        const MAGIC: [&[u8]; 7] =
            [b"\x1f\x8b", b"PK\x03\x04", b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x28\xb5\x2f\xfd"];
        let mut start = text;
        let mut first = *text.first()?;
        if first.is_ascii_alphabetic() && !matches!(first, b'P' | b'G') || first == b'#' {
            return None;
        }
        if MAGIC.iter().any(|magic| text.starts_with(magic)) {
            return Some(BodyKind::Binary);
        }
        if first.is_ascii_whitespace() {
            start = text.trim_ascii_start();
            first = *start.first()?;
        }
        match first {
            b'<' => Some(Self::markup(start)),
            b'{' | b'[' => Some(BodyKind::Json),
            _ => None,
        }
    }

    fn markup(start: &[u8]) -> BodyKind {
        const LOOK_BYTES: usize = 1_024;
        let look = start.get(..LOOK_BYTES).unwrap_or(start).to_ascii_lowercase();
        let has = |tag: &[u8]| memchr::memmem::find(&look, tag).is_some();
        let is_xml = look.starts_with(b"<?xml") || has(b"<urlset") || has(b"<error>");
        if is_xml && !has(b"<html") && !has(b"<!doctype html") { BodyKind::Xml } else { BodyKind::Html }
    }
}

/// Whether more than a tenth of a text is control characters.
pub(crate) fn is_mostly_noise(text: &[u8]) -> bool {
    let noise = text.iter().filter(|&&byte| byte < b' ' && !byte.is_ascii_whitespace()).count();
    noise * 10 > text.len()
}

/// The text of a body, its encoding if it has a UTF-16 byte order mark, and the offset after a UTF-8 byte order mark.
///
/// § 2.2.2: "Implementors MAY bridge encoding mismatches if they detect that the robots.txt file is not UTF-8 encoded."
/// UTF-16 is converted if it has its byte order mark; a unit that is not a character becomes U+FFFD.
pub(crate) fn decode(body: &[u8]) -> (Cow<'_, [u8]>, Option<Encoding>, usize) {
    match body {
        [0xef, 0xbb, 0xbf, ..] => (body.into(), None, 3),
        [0xff, 0xfe, units @ ..] => (from_utf16(units, u16::from_le_bytes).into(), Some(Encoding::Utf16Le), 0),
        [0xfe, 0xff, units @ ..] => (from_utf16(units, u16::from_be_bytes).into(), Some(Encoding::Utf16Be), 0),
        _ => (body.into(), None, 0),
    }
}

fn from_utf16(units: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let (pairs, odd) = units.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text = String::with_capacity(pairs.len());
    text.extend(char::decode_utf16(units).map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER)));
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text.into_bytes()
}

/// The whole lines of a body that was cut: half a rule would be another rule. A CR at the cut may be half of a CR LF, so
/// it does not end a line.
#[must_use]
pub fn whole_lines(cut: &[u8]) -> &[u8] {
    let end = match cut {
        [0xff, 0xfe, ..] => end_of_lines_in_utf16(cut, u16::from_le_bytes),
        [0xfe, 0xff, ..] => end_of_lines_in_utf16(cut, u16::from_be_bytes),
        _ => memchr::memrchr2(b'\n', b'\r', cut.strip_suffix(b"\r").unwrap_or(cut)).map_or(0, |at| at + 1),
    };
    cut.get(..end).unwrap_or_default()
}

/// The offset after the last end of line, which is a whole unit.
fn end_of_lines_in_utf16(cut: &[u8], unit: fn([u8; 2]) -> u16) -> usize {
    const LF: u16 = 0x0a;
    const CR: u16 = 0x0d;
    let (mut units, _) = cut.as_chunks::<2>();
    if let [before @ .., last] = units
        && unit(*last) == CR
    {
        units = before;
    }
    units.iter().rposition(|pair| matches!(unit(*pair), LF | CR)).map_or(0, |at| (at + 1) * 2)
}

/// Finds the offsets in a body that correspond to offsets in its text.
#[derive(Debug)]
pub(crate) struct BodyOffsets {
    is_utf16: bool,
    /// An offset in the text and the one in the body, after the byte order mark.
    last: (usize, usize),
}

impl BodyOffsets {
    pub(crate) fn new(encoding: Encoding) -> Self {
        BodyOffsets { is_utf16: encoding.is_utf16(), last: (0, 2) }
    }

    /// The offset in the body of `end` in the text. Calls must come in ascending order.
    pub(crate) fn find(&mut self, text: &[u8], end: usize) -> usize {
        if !self.is_utf16 {
            return end;
        }
        let (text_at, body_at) = self.last;
        self.last = (end.max(text_at), body_at + utf16_bytes(text.get(text_at..end).unwrap_or_default()));
        self.last.1
    }
}

/// How many bytes a text takes in UTF-16.
fn utf16_bytes(text: &[u8]) -> usize {
    let units = |&byte: &u8| match byte {
        0x80..=0xbf => 0,
        0xf0..=0xff => 2,
        _ => 1,
    };
    text.iter().map(units).sum::<usize>() * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_of_either_byte_order_is_converted() {
        let (text, encoding, _) = decode(b"\xff\xfea\0\n\0\xe9\0");
        assert_eq!((&*text, encoding), ("a\n\u{e9}".as_bytes(), Some(Encoding::Utf16Le)));
        let (text, encoding, _) = decode(b"\xfe\xff\0a\xd8\x00\x00");
        assert_eq!((&*text, encoding), ("a\u{fffd}\u{fffd}".as_bytes(), Some(Encoding::Utf16Be)));
        assert_eq!(utf16_bytes("a\u{e9}\u{1f600}".as_bytes()), 8);
    }

    #[test]
    fn a_cut_leaves_whole_lines() {
        let check = |cut: &[u8], expected: &[u8]| assert_eq!(whole_lines(cut), expected, "{cut:?}");
        check(b"a\nb", b"a\n");
        check(b"a\n", b"a\n");
        check(b"a\rb", b"a\r");
        check(b"a\nb\r", b"a\n");
        check(b"a\r\r", b"a\r");
        check(b"a", b"");
        check(b"\xff\xfea\0\n\0b\0", b"\xff\xfea\0\n\0");
        check(b"\xff\xfea\0\n\0b\0\n", b"\xff\xfea\0\n\0");
        check(b"\xff\xfea\0\r\0b\0\r\0", b"\xff\xfea\0\r\0");
        // U+0A00 and U+000A in the other byte order.
        check(b"\xfe\xff\0a\0\n\x0a\0\0", b"\xfe\xff\0a\0\n");
        check(b"\xfe\xff\x0d\0", b"");
    }

    #[test]
    fn first_bytes() {
        let check = |text: &[u8], expected| assert_eq!(BodyKind::sniff(text), expected, "{text:?}");
        check(b"User-agent: *", None);
        check(b"", None);
        check(b"\n <!DOCTYPE HTML>", Some(BodyKind::Html));
        check(b"<?xml version='1.0'?><!DOCTYPE html><html>", Some(BodyKind::Html));
        check(b"<?xml version='1.0'?><urlset>", Some(BodyKind::Xml));
        check(b"{\"error\": 404}", Some(BodyKind::Json));
        check(b"<?xml version='1.0'?><a>", Some(BodyKind::Xml));
        check(b"<?xml version='1.0'?><html>", Some(BodyKind::Html));
        check(b"<urlset>", Some(BodyKind::Xml));
        check(b"<error>", Some(BodyKind::Xml));
        for magic in [&b"\x1f\x8b\x08"[..], b"PK\x03\x04", b"GIF89a"] {
            check(magic, Some(BodyKind::Binary));
        }
    }

    #[test]
    fn more_than_a_tenth_is_noise() {
        let check = |text: &[u8], expected| assert_eq!(is_mostly_noise(text), expected, "{text:?}");
        check(b"\x01abcdefgh", true);
        check(b"\x01abcdefghi", false);
        check(b"\t\r\n\x0c ab", false);
        check(b"", false);
    }
}
