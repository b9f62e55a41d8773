//! The header lines of a head, as names and values.

use crate::answer::remark::{AnswerRemark, AnswerRemarks};
use crate::fold::continues;
use memchr::memchr;

/// An iterator over the headers up to the empty line that ends them: name and value, both trimmed. A folded value keeps
/// its line ends. Lines that are not headers are skipped, with a remark.
#[derive(Debug, Clone)]
pub struct Headers<'a> {
    /// The bytes that are not read yet; at the end, those after the empty line.
    pub(super) rest: &'a [u8],
    pub(super) remarks: AnswerRemarks,
    is_done: bool,
}

impl<'a> Headers<'a> {
    pub(super) fn new(lines: &'a [u8]) -> Headers<'a> {
        Headers { rest: lines, remarks: AnswerRemarks::default(), is_done: false }
    }

    /// The next line, without its end. `None` after the empty line or at the end of the bytes.
    #[inline]
    fn line(&mut self) -> Option<&'a [u8]> {
        let Some(end) = memchr(b'\n', self.rest) else {
            let line = std::mem::take(&mut self.rest);
            self.remarks.add(AnswerRemark::HeadUnended);
            return (!line.is_empty()).then_some(line);
        };
        let (line, after) = self.rest.split_at_checked(end)?;
        self.rest = after.get(1..)?;
        let [before @ .., b'\r'] = line else {
            self.remarks.add(AnswerRemark::HeadLfOnly);
            return (!line.is_empty()).then_some(line);
        };
        // If line ends were converted twice, an empty line is CR CR LF.
        before.iter().any(|byte| *byte != b'\r').then_some(before)
    }

    /// The value that starts at byte `start` of `lines`, with the lines that continue it.
    #[cold]
    fn folded(&mut self, lines: &'a [u8], start: usize) -> &'a [u8] {
        self.remarks.add(AnswerRemark::HeaderFolded);
        while continues(self.rest) && self.line().is_some() {}
        lines.get(start..lines.len() - self.rest.len()).unwrap_or_default()
    }
}

impl<'a> Iterator for Headers<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        while !self.is_done {
            let lines = self.rest;
            let Some(line) = self.line() else { break };
            if continues(line) {
                self.remarks.add(AnswerRemark::HeaderFolded);
                continue;
            }
            let Some((name, value)) = memchr(b':', line).and_then(|colon| line.split_at_checked(colon)) else {
                self.remarks.add(AnswerRemark::HeaderWithoutColon);
                continue;
            };
            let name = match name {
                [.., b' ' | b'\t'] => {
                    self.remarks.add(AnswerRemark::HeaderBlankBeforeColon);
                    name.trim_ascii_end()
                }
                _ => name,
            };
            let mut value = value.get(1..).unwrap_or_default();
            if continues(self.rest) {
                value = self.folded(lines, line.len() - value.len());
            }
            return Some((name, value.trim_ascii()));
        }
        self.is_done = true;
        None
    }
}
