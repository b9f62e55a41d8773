//! The class of a byte, found by one table look-up.

/// `#`, which starts a comment.
pub(crate) const HASH: u16 = 1;
/// Space or tab: `WS = %x20 / %x09`.
pub(crate) const BLANK: u16 = 1 << 1;
/// A letter, `_` or `-`: what an `identifier` is made of.
pub(crate) const TOKEN: u16 = 1 << 2;
/// A digit.
pub(crate) const DIGIT: u16 = 1 << 3;
/// A dot.
pub(crate) const DOT: u16 = 1 << 4;
/// A slash.
pub(crate) const SLASH: u16 = 1 << 5;
/// `*`.
pub(crate) const STAR: u16 = 1 << 6;
/// `$`.
pub(crate) const DOLLAR: u16 = 1 << 7;
/// `%`.
pub(crate) const PERCENT: u16 = 1 << 8;
/// NUL.
pub(crate) const NUL: u16 = 1 << 9;
/// Another ASCII control character. DEL is not one here, since the ABNF derives it (`%x24-7F`).
pub(crate) const CONTROL: u16 = 1 << 10;
/// A byte outside ASCII.
pub(crate) const HIGH: u16 = 1 << 11;
/// Valid in the ABNF but in no URI (RFC 3986): `"<>\^` and the like, and DEL.
pub(crate) const UNSAFE: u16 = 1 << 12;
/// A comma.
pub(crate) const COMMA: u16 = 1 << 13;
/// Any other ASCII character.
pub(crate) const OTHER: u16 = 1 << 14;

const CLASSES: [u16; 256] = classes();

const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time, below 256")]
        {
            table[at] = match at as u8 {
                b'#' => HASH,
                b' ' | b'\t' => BLANK,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' => TOKEN,
                b'0'..=b'9' => DIGIT,
                b'.' => DOT,
                b'/' => SLASH,
                b'*' => STAR,
                b'$' => DOLLAR,
                b'%' => PERCENT,
                b',' => COMMA,
                0 => NUL,
                1..=0x1f => CONTROL,
                b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | 0x7f => UNSAFE,
                0x80..=0xff => HIGH,
                _ => OTHER,
            };
        }
        at += 1;
    }
    table
}

/// The class of a byte, one of the constants of this module.
#[expect(clippy::indexing_slicing, reason = "a byte is always below 256")]
#[inline(always)]
pub(crate) fn class(byte: u8) -> u16 {
    CLASSES[byte as usize]
}

/// Space or tab.
#[inline(always)]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// RFC 3986 § 2.3: `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`.
pub(crate) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// The first bytes of a text. UTF-8 is cut between characters: at most three bytes of one follow its first.
#[must_use]
#[inline]
pub fn first_bytes(text: &[u8], most: usize) -> &[u8] {
    if text.len() <= most {
        return text;
    }
    let is_start = |at: &usize| text.get(*at).is_some_and(|byte| !(0x80..0xc0).contains(byte));
    let end = (most.saturating_sub(3)..=most).rev().find(is_start).unwrap_or(most);
    text.get(..end).unwrap_or_default()
}

/// Strips bytes of a kind at both ends. Returns the offset of the rest and the rest.
#[inline]
pub(crate) fn strip(text: &[u8], is_stripped: impl Fn(u8) -> bool) -> (usize, &[u8]) {
    let mut inner = text;
    while let [first, rest @ ..] = inner
        && is_stripped(*first)
    {
        inner = rest;
    }
    (text.len() - inner.len(), strip_end(inner, is_stripped))
}

#[inline]
fn strip_end(text: &[u8], is_stripped: impl Fn(u8) -> bool) -> &[u8] {
    let mut inner = text;
    while let [rest @ .., last] = inner
        && is_stripped(*last)
    {
        inner = rest;
    }
    inner
}

/// The text without blanks at its end.
#[inline]
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    strip_end(text, is_blank)
}

/// The text without blanks at either end.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    strip(text, is_blank).1
}

/// Strips blanks and NULs at both ends, since some writers pad with NULs.
pub(crate) fn strip_padding(value: &[u8]) -> (usize, &[u8]) {
    strip(value, |byte| byte == 0 || is_blank(byte))
}

/// The value of a hexadecimal digit.
pub(crate) fn hex(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_cut_no_character() {
        let check = |text: &[u8], expected: &[u8]| assert_eq!(first_bytes(text, 8), expected);
        check(b"", b"");
        check(b"aaaaaaaa", b"aaaaaaaa");
        check(b"aaaaaaaaa", b"aaaaaaaa");
        check("aaaaaaa\u{20ac}\u{20ac}".as_bytes(), b"aaaaaaa");
        check("aaaaaaab\u{20ac}".as_bytes(), b"aaaaaaab");
        check(&[0x80; 300], &[0x80; 8]);
    }
}
