//! What a body is before any line is read: its encoding, and what kind of document it looks like.

use std::borrow::Cow;

/// How the text of a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Nothing above 0x7F.
    Ascii,
    /// UTF-8, with something above 0x7F.
    Utf8,
    /// UTF-16, little end first, by its byte order mark.
    Utf16Le,
    /// UTF-16, big end first, by its byte order mark.
    Utf16Be,
    /// None of these.
    Other,
}

/// How the lines of a body end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEndings {
    /// There is no end of line.
    None,
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
    /// CR.
    Cr,
    /// More than one kind.
    Mixed,
}

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// At least one user-agent line, rule, or named record, and no markup around them.
    Robots,
    /// A page, by its first characters; there may be rules in it.
    Html,
    /// XML, by its first characters.
    Xml,
    /// JSON, by its first character, and no record in it.
    Json,
    /// Not text: the magic number of a known format, or more than a tenth control characters.
    Binary,
    /// Nothing, or nothing but white space.
    Empty,
    /// Comments and nothing else.
    CommentsOnly,
    /// Text of another kind.
    Text,
}

impl Encoding {
    /// As the tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Ascii => "ascii",
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Other => "other",
        }
    }
}

impl LineEndings {
    /// As the tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LineEndings::None => "none",
            LineEndings::Lf => "lf",
            LineEndings::CrLf => "crlf",
            LineEndings::Cr => "cr",
            LineEndings::Mixed => "mixed",
        }
    }
}

impl Kind {
    /// As the tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Robots => "robots",
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Json => "json",
            Kind::Binary => "binary",
            Kind::Empty => "empty",
            Kind::CommentsOnly => "comments_only",
            Kind::Text => "text",
        }
    }

    /// What the first bytes of a text look like; `None` where they could begin a robots.txt.
    pub(crate) fn sniff(text: &[u8]) -> Option<Kind> {
        const MAGIC: [&[u8]; 7] =
            [b"\x1f\x8b", b"PK\x03\x04", b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x28\xb5\x2f\xfd"];
        let mut start = text;
        let mut first = *text.first()?;
        if first.is_ascii_alphabetic() && !matches!(first, b'P' | b'G') || first == b'#' {
            return None;
        }
        if MAGIC.iter().any(|magic| text.starts_with(magic)) {
            return Some(Kind::Binary);
        }
        if first.is_ascii_whitespace() {
            start = text.trim_ascii_start();
            first = *start.first()?;
        }
        match first {
            b'<' => Some(Self::markup(start)),
            b'{' | b'[' => Some(Kind::Json),
            _ => None,
        }
    }

    fn markup(start: &[u8]) -> Kind {
        const LOOK_BYTES: usize = 1_024;
        let look = start.get(..LOOK_BYTES).unwrap_or(start).to_ascii_lowercase();
        let has = |tag: &[u8]| memchr::memmem::find(&look, tag).is_some();
        let is_xml = look.starts_with(b"<?xml") || has(b"<urlset") || has(b"<error>");
        if is_xml && !has(b"<html") && !has(b"<!doctype html") { Kind::Xml } else { Kind::Html }
    }
}

/// Whether more than a tenth of a text is control characters.
pub(crate) fn is_mostly_noise(text: &[u8]) -> bool {
    let noise = text.iter().filter(|&&byte| byte < b' ' && !byte.is_ascii_whitespace()).count();
    noise * 10 > text.len()
}

/// The text of a body, its encoding as far as a byte order mark tells, and where it begins behind that mark.
///
/// § 2.2.2: "Implementors MAY bridge encoding mismatches if they detect that the robots.txt file is not UTF-8
/// encoded." UTF-16 is bridged where its byte order mark says so; a unit that is no character becomes U+FFFD.
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

/// How many bytes a text that was UTF-16 took there.
pub(crate) fn utf16_bytes(text: &[u8]) -> usize {
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
    fn utf_16_is_bridged_either_end_first() {
        let (text, encoding, _) = decode(b"\xff\xfea\0\n\0\xe9\0");
        assert_eq!((&*text, encoding), ("a\n\u{e9}".as_bytes(), Some(Encoding::Utf16Le)));
        let (text, encoding, _) = decode(b"\xfe\xff\0a\xd8\x00\x00");
        assert_eq!((&*text, encoding), ("a\u{fffd}\u{fffd}".as_bytes(), Some(Encoding::Utf16Be)));
        assert_eq!(utf16_bytes("a\u{e9}\u{1f600}".as_bytes()), 8);
    }

    #[test]
    fn first_bytes() {
        let check = |text: &[u8], expected| assert_eq!(Kind::sniff(text), expected, "{text:?}");
        check(b"User-agent: *", None);
        check(b"", None);
        check(b"\n <!DOCTYPE HTML>", Some(Kind::Html));
        check(b"<?xml version='1.0'?><!DOCTYPE html><html>", Some(Kind::Html));
        check(b"<?xml version='1.0'?><urlset>", Some(Kind::Xml));
        check(b"{\"error\": 404}", Some(Kind::Json));
        check(b"\x1f\x8b\x08", Some(Kind::Binary));
    }
}
