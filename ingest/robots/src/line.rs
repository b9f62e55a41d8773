//! A text cut into lines.

/// One line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Offset of its first byte.
    pub(crate) start: usize,
    /// Offset behind its last byte, before the end of line.
    pub(crate) end: usize,
    /// What ends it.
    pub(crate) eol: Eol,
}

/// The end of a line. RFC 9309 § 2.2: `NL = %x0D / %x0A / %x0D.0A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eol {
    Lf,
    CrLf,
    Cr,
    /// The text ends without one.
    None,
}

/// The lines of a text. A CR LF ends one line, not two, and nothing else ends any: neither VT nor FF nor
/// U+0085 nor U+2028 is an `NL`. Behind the last end of line there is no further, empty line.
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    has_cr: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t [u8], has_cr: bool) -> Self {
        Lines { text, at: 0, has_cr }
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    #[inline]
    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let found = if self.has_cr { memchr::memchr2(b'\n', b'\r', rest) } else { memchr::memchr(b'\n', rest) };
        let Some(length) = found else {
            self.at = self.text.len();
            return Some(Line { start, end: self.text.len(), eol: Eol::None });
        };
        let end = start + length;
        let eol = match (self.text.get(end), self.text.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Eol::CrLf,
            (Some(b'\r'), _) => Eol::Cr,
            _ => Eol::Lf,
        };
        self.at = end + if eol == Eol::CrLf { 2 } else { 1 };
        Some(Line { start, end, eol })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let cut: Vec<&str> = Lines::new(text.as_bytes(), true).map(|line| &text[line.start..line.end]).collect();
        assert_eq!(cut, expected, "{text:?}");
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
