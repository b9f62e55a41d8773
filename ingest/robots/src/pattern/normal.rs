//! The normal form, in which a pattern and a path are compared, RFC 9309 § 2.2.2 and § 2.2.3.
//!
//! - Octets outside ASCII are percent-encoded: "Octets in the URI and robots.txt paths outside the range of the ASCII
//!   coded character set […] MUST be percent-encoded as defined by [RFC3986] prior to comparison."
//! - A percent-encoded unreserved character is decoded: "If a percent-encoded ASCII octet is encountered in the URI,
//!   it MUST be unencoded prior to comparison, unless it is a reserved character in the URI as defined by [RFC3986]
//!   or the character is outside the unreserved character range." Patterns are decoded, too, or `/%62` would not match
//!   itself.
//! - Octets that stay encoded have their hexadecimal digits in upper case (RFC 3986 § 6.2.2.1).
//! - A `*` or `$` that stands for itself becomes `%2A` or `%24` (Figure 6). So in a normal form `*` is always a
//!   wildcard, and `$` always the anchor.
//! - A percent sign that encodes nothing does not change: § 2.2.2 has octets outside ASCII and reserved ones encoded,
//!   and it is neither. So `/a%` matches `/a%2Fb`, as in Google's parser. A digit that would turn it into an escape
//!   stays encoded: `/%%32A` is `/%2%41` and not `/%2A`, an encoded `*`.
//!
//! DIFFERENCE: § 2.2.2 also asks to encode "those in the reserved range". Taken to the letter, `/` would equal `%2F`
//! and no path would have segments; Figure 4 encodes them in a query only. Here reserved characters stay as written,
//! encoded or not, as in Google's parser and crawler-commons: `/a:b` and `/a%3Ab` differ.
//!
//! DIFFERENCE: white space and control characters are percent-encoded on both sides. The grammar derives no path with
//! them, and the standard does not mention them. A URI has them in encoded form, so only this reading gives
//! `Disallow: /my files` a meaning. Characters that the grammar derives, DEL and `"<>\^` and the like, are compared as
//! written: `/a<b` and `/a%3Cb` differ.

use crate::byte::{self, class, hex, is_unreserved};
use std::borrow::Cow;

/// Whether a pattern may differ from its normal form, given the classes of all its bytes.
#[inline]
pub(crate) fn may_differ(classes: u16) -> bool {
    const SUSPECTS: u16 = byte::PERCENT | byte::DOLLAR | byte::HIGH | byte::BLANK | byte::CONTROL | byte::NUL;
    classes & SUSPECTS != 0
}

/// Appends the normal form of a rule's pattern.
pub(crate) fn write_pattern(pattern: &[u8], out: &mut Vec<u8>) {
    let anchor = pattern.len().checked_sub(1);
    write(pattern, out, |at, byte| match byte {
        b'*' => true,
        // § 2.2.3: "$ Designates the end of the match pattern." Before the end it stands for itself.
        b'$' => Some(at) == anchor,
        _ => false,
    });
}

/// Appends the normal form of the path of a URI.
pub(crate) fn write_path(path: &[u8], out: &mut Vec<u8>) {
    write(path, out, |_, _| false);
}

fn write(text: &[u8], out: &mut Vec<u8>, is_special: impl Fn(usize, u8) -> bool) {
    // The length of `out` right after the last percent sign that encodes nothing.
    let mut after_bare = None;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'%'
            && let Some(octet) = encoded(text, at)
        {
            if is_unreserved(octet) && !completes_escape(octet, after_bare, out) {
                out.push(octet);
            } else {
                push_encoded(octet, out);
            }
            at += 3;
            continue;
        }
        const ENCODED: u16 = byte::HIGH | byte::BLANK | byte::CONTROL | byte::NUL | byte::STAR | byte::DOLLAR;
        let must_be_encoded = class(byte) & ENCODED != 0 && !is_special(at, byte);
        if must_be_encoded || completes_escape(byte, after_bare, out) {
            push_encoded(byte, out);
        } else {
            out.push(byte);
            if byte == b'%' {
                after_bare = Some(out.len());
            }
        }
        at += 1;
    }
}

/// Whether an octet would complete an escape: it is a hexadecimal digit and follows another one, after a percent sign
/// that encodes nothing as written.
fn completes_escape(octet: u8, after_bare: Option<usize>, out: &[u8]) -> bool {
    let Some(after_bare) = after_bare else { return false };
    let first_digit = out.get(after_bare).and_then(|digit| hex(*digit));
    out.len() == after_bare + 1 && first_digit.is_some() && hex(octet).is_some()
}

/// The octet that `%` and two digits at this place stand for.
pub(crate) fn encoded(text: &[u8], at: usize) -> Option<u8> {
    match text.get(at..at + 3)? {
        [b'%', high, low] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

/// Appends an octet as `%` and two digits in upper case.
pub(crate) fn push_encoded(octet: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&escape(octet));
}

fn escape(octet: u8) -> [u8; 3] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    [b'%', digit(octet >> 4), digit(octet & 15)]
}

/// Bytes as text. What is not UTF-8 is percent-encoded, so a pattern or URL keeps its meaning.
#[must_use]
pub fn percent_encoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().flat_map(|octet| escape(*octet)).map(char::from));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(written: &str) -> String {
        let mut out = Vec::new();
        write_pattern(written.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn path(written: &str) -> String {
        let mut out = Vec::new();
        write_path(written.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn stars_and_dollars() {
        assert_eq!(pattern("/a*b$"), "/a*b$");
        assert_eq!(pattern("/$a$b$"), "/%24a%24b$");
        assert_eq!(path("/a*b$"), "/a%2Ab%24");
        assert_eq!(pattern("/a%2a%24"), "/a%2A%24");
    }

    #[test]
    fn characters_that_do_not_change() {
        assert_eq!(pattern("/a%2fb%3ac"), "/a%2Fb%3Ac");
        assert_eq!(pattern("/a/b:c?d=e&f=g;h,i"), "/a/b:c?d=e&f=g;h,i");
        assert_eq!(pattern("/%zz%2"), "/%zz%2");
        assert_eq!(pattern("/*%*"), "/*%*");
        assert_eq!(pattern("/%25"), "/%25");
    }

    #[test]
    fn a_percent_sign_that_encodes_nothing_does_not_start_an_escape() {
        for written in ["/%%32A", "/%2%41", "/%%32%41"] {
            assert_eq!(pattern(written), "/%2%41", "{written:?}");
        }
        assert_eq!(pattern("/%%32z"), "/%2z");
        assert_eq!(pattern("/%%"), "/%%");
    }

    #[test]
    fn white_space_is_encoded_and_valid_characters_are_not() {
        assert_eq!(pattern("/a b\u{b}c"), path("/a%20b%0bc"));
        assert_eq!(pattern("/a<b|c"), "/a<b|c");
    }

    #[test]
    fn only_octets_that_are_not_utf_8_are_encoded_for_text() {
        assert_eq!(percent_encoded(b"/caf\xe9/%e9/x"), "/caf%E9/%e9/x");
        assert_eq!(percent_encoded(b"\xff\n\xc3\xa9\xe2\x82"), "%FF\n\u{e9}%E2%82");
        for written in ["", "/caf\u{e9} x"] {
            assert!(matches!(percent_encoded(written.as_bytes()), Cow::Borrowed(text) if text == written));
        }
    }

    #[test]
    fn a_normal_form_is_its_own_normal_form() {
        for written in ["/%62%61%7A", "/a b", "/$b", "/caf\u{e9}*$", "/%2a%zz%%41", "/%%32A", "/%%%32A"] {
            assert_eq!(pattern(&pattern(written)), pattern(written), "{written:?}");
        }
    }
}
