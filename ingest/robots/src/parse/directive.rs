//! A line with a key.

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
