//! What a line says behind its key and colon, up to a comment.

use super::Directive;
use crate::byte::is_blank;
use crate::span::Span;
use crate::violation::Code;

/// The content of a line behind its colon.
#[derive(Clone, Copy)]
pub(super) struct Content<'t> {
    /// The value: the part of it that counts.
    pub(super) value: &'t [u8],
    /// Where that stands.
    pub(super) span: Span,
    /// All of it, and where it begins.
    whole: &'t [u8],
    start: usize,
}

impl Directive {
    /// § 2.2: "EOL = *WS [comment] NL", and `comment = "#" *(UTF8-char-noctl / WS / "#")`.
    #[inline(always)]
    pub(super) fn content<'t>(&self, text: &'t [u8]) -> Content<'t> {
        let rest = text.get(self.value_at..self.end).unwrap_or_default();
        let whole = rest.get(..memchr::memchr(b'#', rest).unwrap_or(rest.len())).unwrap_or_default();
        let (skipped, value) = bare(whole);
        let start = self.value_at + skipped;
        Content { value, span: Span::new(start, start + value.len()), whole, start: self.value_at }
    }
}

impl Content<'_> {
    /// Offset behind all of it, which is where a comment begins.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.start + self.whole.len()
    }

    /// The first NUL, a departure from the grammar wherever it stands.
    pub(super) fn nul(&self) -> Option<(Code, Span)> {
        let at = self.start + memchr::memchr(0, self.whole)?;
        Some((Code::NulByte, Span::new(at, at + 1)))
    }
}

/// The part of a value that counts: without blanks around it, and without NULs, which some writers pad with. With
/// where it begins.
fn bare(value: &[u8]) -> (usize, &[u8]) {
    let is_padding = |byte: u8| byte == 0 || is_blank(byte);
    let mut bare = value;
    while let [first, rest @ ..] = bare
        && is_padding(*first)
    {
        bare = rest;
    }
    let start = value.len() - bare.len();
    while let [rest @ .., last] = bare
        && is_padding(*last)
    {
        bare = rest;
    }
    (start, bare)
}
