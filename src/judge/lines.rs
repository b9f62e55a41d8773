//! Finds a line of a text by its number.

/// Where each line of a text starts. Lines end as in RFC 9309 § 2.2: `NL = %x0D / %x0A / %x0D.0A`.
#[derive(Debug)]
pub(crate) struct LineIndex<'t> {
    text: &'t [u8],
    /// The byte offsets of the lines. The parser reads at most 16 MiB, so `u32` is wide enough.
    starts: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', text) {
            let next = text.get(at + 1);
            let is_inside_crlf = text.get(at) == Some(&b'\r') && next == Some(&b'\n');
            // No empty line follows the last end of line.
            if next.is_some() && !is_inside_crlf {
                starts.push(at as u32 + 1);
            }
        }
        LineIndex { text, starts }
    }

    /// A line by its number, from 1, without its end. Empty if it does not exist.
    pub(crate) fn line(&self, line_no: u32) -> &'t [u8] {
        let start = (line_no as usize).checked_sub(1).and_then(|nth| self.starts.get(nth));
        let rest = start.and_then(|&start| self.text.get(start as usize..)).unwrap_or_default();
        rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_line_and_any_mix() {
        let lines = LineIndex::new(b"a\r\nb\rc\n\nd\r\r\n");
        let cut: Vec<&[u8]> = (0..=8).map(|line_no| lines.line(line_no)).collect();
        assert_eq!(cut, [b"".as_slice(), b"a", b"b", b"c", b"", b"d", b"", b"", b""]);
        assert_eq!(LineIndex::new(b"").line(1), b"");
    }

    #[test]
    fn the_parser_counts_the_same_lines() {
        for text in ["", "a", "a\n", "a\r\n\r\nb", "\r\r\n\n", "a\rb\n\rc\r"] {
            let parsed = robots::parse(text.as_bytes());
            let counted = LineIndex::new(text.as_bytes()).starts.len() as u32;
            assert_eq!(counted, parsed.facts.line_count.max(1), "{text:?}");
        }
    }
}
