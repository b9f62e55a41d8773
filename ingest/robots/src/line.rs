//! Splits a text into lines.

mod index;

pub use index::LineIndex;

use crate::scan;
use std::ops::Range;

/// The places of the lines of a text, each before its end of line, for the dialects that read the text themselves. CR LF is one end of line; VT, FF, U+0085 and
/// U+2028 are none (RFC 9309 § 2.2: `NL = %x0D / %x0A / %x0D.0A`). The last end of line does not start another line.
pub(crate) struct LineSpans<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> LineSpans<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        LineSpans { text, at: 0 }
    }
}

impl Iterator for LineSpans<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let end = scan::line_end(self.text, start);
        let is_crlf = self.text.get(end..end + 2) == Some(b"\r\n");
        self.at = end + if is_crlf { 2 } else { 1 };
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let cut: Vec<&str> = LineSpans::new(text.as_bytes()).map(|line| &text[line]).collect();
        assert_eq!(cut, expected, "{text:?}");
        let index = LineIndex::new(text.as_bytes());
        let numbered = |line_no: usize| std::str::from_utf8(index.line(line_no as u32)).unwrap();
        assert_eq!((1..=cut.len()).map(numbered).collect::<Vec<_>>(), expected, "{text:?}");
        assert_eq!([0, cut.len() + 1].map(numbered), [""; 2], "{text:?}");
        assert_eq!(crate::parse(text.as_bytes()).facts.line_count as usize, cut.len(), "{text:?}");
    }

    #[test]
    fn every_end_of_line_and_any_mix() {
        check("", &[]);
        check("a", &["a"]);
        check("a\n", &["a"]);
        check("a\n\nb", &["a", "", "b"]);
        check("a\r\nb\rc\nd", &["a", "b", "c", "d"]);
        check("\r\r\n\n", &["", "", ""]);
        check("a\u{b}b\u{c}c\u{85}d\u{2028}e", &["a\u{b}b\u{c}c\u{85}d\u{2028}e"]);
    }
}
