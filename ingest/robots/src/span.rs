//! A place in a text, by byte offset and length. It has half the size of a slice, and no lifetime.

/// A place in the text that was parsed, or in the buffer of normal forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

impl Span {
    /// The span from `start` up to `end`. A text is at most [`crate::limits::HARD_CAP_BYTES`] long, so both fit.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, len: end.saturating_sub(start) as u32 }
    }

    /// Offset after the last byte.
    #[must_use]
    pub fn end(self) -> usize {
        self.start as usize + self.len as usize
    }

    /// The bytes at this place of `text`; empty if `text` is too short.
    #[must_use]
    pub fn slice(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end()).unwrap_or_default()
    }
}
