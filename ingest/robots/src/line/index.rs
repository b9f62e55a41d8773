//! Finds a line of a text by its number.

use super::LineSpans;
use crate::scan;

/// Where each line of a text starts.
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    /// The byte offsets of the lines. The parser reads at most 16 MiB, so `u32` is wide enough.
    starts: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of a text.
    #[must_use]
    pub fn new(text: &'t [u8]) -> Self {
        LineIndex { text, starts: LineSpans::new(text).map(|line| line.start as u32).collect() }
    }

    /// A line by its number, from 1, without its end. Empty if it does not exist.
    #[must_use]
    pub fn line(&self, line_no: u32) -> &'t [u8] {
        let start = (line_no as usize).checked_sub(1).and_then(|nth| self.starts.get(nth));
        let line = start.and_then(|&start| self.text.get(start as usize..scan::line_end(self.text, start as usize)));
        line.unwrap_or_default()
    }
}
