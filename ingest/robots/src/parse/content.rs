//! The part of a line after its key and colon, up to a comment.

use super::directive::Directive;
use crate::byte::is_blank;
use crate::span::Span;
use crate::violation::Code;

/// The content of a line after its colon.
#[derive(Clone, Copy)]
pub(super) struct LineContent<'t> {
    /// The value, without blanks and NULs around it.
    pub(super) value: &'t [u8],
    /// Where the value stands.
    pub(super) span: Span,
    /// The whole content, with blanks and NULs.
    whole: &'t [u8],
    start: usize,
}

impl Directive {
    /// § 2.2: "EOL = *WS [comment] NL", and `comment = "#" *(UTF8-char-noctl / WS / "#")`.
    #[inline(always)]
    pub(super) fn content<'t>(&self, text: &'t [u8]) -> LineContent<'t> {
        let rest = text.get(self.value_at..self.end).unwrap_or_default();
        let whole = rest.get(..memchr::memchr(b'#', rest).unwrap_or(rest.len())).unwrap_or_default();
        let (skipped, value) = strip(whole);
        let start = self.value_at + skipped;
        LineContent { value, span: Span::new(start, start + value.len()), whole, start: self.value_at }
    }
}

impl LineContent<'_> {
    /// Offset after the content, where a comment starts.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.start + self.whole.len()
    }

    /// The first NUL, which the grammar allows nowhere.
    pub(super) fn nul(&self) -> Option<(Code, Span)> {
        let at = self.start + memchr::memchr(0, self.whole)?;
        Some((Code::NulByte, Span::new(at, at + 1)))
    }
}

/// Strips blanks and NULs at both ends, since some writers pad with NULs. Returns the offset of the value and the
/// value.
fn strip(value: &[u8]) -> (usize, &[u8]) {
    let is_padding = |byte: u8| byte == 0 || is_blank(byte);
    let mut inner = value;
    while let [first, rest @ ..] = inner
        && is_padding(*first)
    {
        inner = rest;
    }
    let start = value.len() - inner.len();
    while let [rest @ .., last] = inner
        && is_padding(*last)
    {
        inner = rest;
    }
    (start, inner)
}
