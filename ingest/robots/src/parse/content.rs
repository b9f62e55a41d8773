//! A line with a key, and its content after the colon, up to a comment.

use crate::byte::{self, strip_padding};
use crate::span::Span;
use crate::violation::Code;

/// One line with a key.
#[derive(Clone, Copy)]
pub(super) struct Directive {
    /// Offset after the colon.
    pub(super) value_at: usize,
    /// The line's end.
    pub(super) end: usize,
    /// The violation of its key.
    pub(super) key_cause: Option<(Code, Span)>,
}

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
        let (skipped, value) = strip_padding(whole);
        let start = self.value_at + skipped;
        LineContent { value, span: Span::new(start, start + value.len()), whole, start: self.value_at }
    }
}

impl<'t> LineContent<'t> {
    /// The start of the value, and where it stands.
    #[inline]
    pub(super) fn first_bytes(&self, most: usize) -> (&'t [u8], Span) {
        let value = byte::first_bytes(self.value, most);
        (value, Span { start: self.span.start, len: value.len() as u32 })
    }

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
