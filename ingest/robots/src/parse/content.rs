//! The part of a line after its key and colon, up to a comment.

use super::Directive;
use crate::byte::is_blank;
use crate::span::Span;
use crate::violation::Code;

/// The content of a line after its colon.
#[derive(Clone, Copy)]
pub(super) struct Content<'t> {
    /// The value, without blanks and NULs around it.
    pub(super) value: &'t [u8],
    /// Where the value stands.
    pub(super) span: Span,
    /// The whole content, and its offset.
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
    /// Offset after the content, where a comment starts.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.start + self.whole.len()
    }

    /// The first NUL, which violates the grammar everywhere.
    pub(super) fn nul(&self) -> Option<(Code, Span)> {
        let at = self.start + memchr::memchr(0, self.whole)?;
        Some((Code::NulByte, Span::new(at, at + 1)))
    }
}

/// The value of a content: without blanks around it, and without NULs, which some writers pad with. Returns it with its
/// offset.
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
