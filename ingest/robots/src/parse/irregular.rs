//! Reads lines that are neither blank nor a comment, tolerates mistakes, and notes every violation.

use super::Reader;
use super::content::Directive;
use crate::Extension;
use crate::byte::{is_blank, strip_padding, trim_end};
use crate::key::{self, Key, Spelling};
use crate::span::Span;
use crate::violation::Code;

impl Reader<'_, '_> {
    pub(super) fn irregular_line(&mut self, start: usize, end: usize) {
        let Some(whole) = self.text.get(start..end) else { return };
        if whole.starts_with(b"<") {
            self.is_plain_ascii(whole);
            let cause = (Code::HtmlLine, Span::new(start, start + trim_end(whole).len()));
            return self.close(Some(cause), end, end);
        }
        let content = whole.get(..memchr::memchr(b'#', whole).unwrap_or(whole.len())).unwrap_or_default();
        let content_end = start + content.len();
        self.is_plain_ascii(content);
        if content.starts_with(b"\0") {
            return self.line_after_padding(start, content_end, end);
        }
        let lost = |code| Some((code, Span::new(start, start + trim_end(content).len())));
        if let Some(code) = hidden_by_mark(content) {
            return self.close(lost(code), content_end, end);
        }
        let Some(colon) = memchr::memchr(b':', content) else {
            return match key::read_without_colon(content) {
                Some((key, value_at)) => {
                    let line = Directive { value_at: start + value_at, end, key_cause: lost(Code::ColonMissing) };
                    let written = content.get(..value_at).map_or(0, |key| strip_padding(key).1.len());
                    self.keyed(key, Span::new(start, start + written), line);
                }
                None => self.close(lost(Code::LineNotUnderstood), content_end, end),
            };
        };
        let written = trim_end(content.get(..colon).unwrap_or_default());
        let key_span = Span::new(start, start + written.len());
        let after_colon = content.get(colon + 1..).unwrap_or_default();
        let is_url = written.eq_ignore_ascii_case(b"http") || written.eq_ignore_ascii_case(b"https");
        let code = match key::read(written) {
            _ if written.is_empty() => Code::KeyEmpty,
            _ if is_url && after_colon.starts_with(b"//") => Code::StrayUrl,
            None => Code::KeyInvalid,
            Some((key, spelling)) => {
                let key_cause = match (key, spelling) {
                    // § 2.2.4: "crawlers may accept common misspellings of the record". A misspelt record is still
                    // another record, as one with an unknown key is.
                    (_, Spelling::Exact) | (Key::Other(_), Spelling::Misspelt) => None,
                    (_, Spelling::Misspelt) => Some((Code::KeyMisspelt, key_span)),
                    (_, Spelling::BadWhitespace) => Some((Code::KeyBadWhitespace, key_span)),
                };
                self.keyed(key, key_span, Directive { value_at: start + colon + 1, end, key_cause });
                if spelling == Spelling::Misspelt && key_cause.is_none() {
                    self.note(Code::RecordKeyMisspelt, self.line_no, key_span);
                }
                return;
            }
        };
        self.close(lost(code), content_end, end);
    }

    fn keyed(&mut self, key: Key, key_span: Span, line: Directive) {
        match key {
            Key::UserAgent => self.agent(line),
            Key::Allow => self.rule(true, line),
            Key::Disallow => self.rule(false, line),
            Key::Other(extension) => self.record(extension, key_span, line),
        }
    }

    /// Reads NULs at the start of a line as blanks, since some writers pad with them. The key gets `nul-byte` if it has
    /// no other violation.
    fn line_after_padding(&mut self, start: usize, content_end: usize, end: usize) {
        let content = self.text.get(start..content_end).unwrap_or_default();
        let padding = content.iter().take_while(|&&byte| byte == 0 || is_blank(byte)).count();
        self.padding = Some(Span::new(start, start + padding));
        if padding < content.len() {
            self.irregular_line(start + padding, end);
        } else {
            self.close(None, content_end, end);
        }
    }
}

/// The violation of a line that starts with a byte order mark, which may be encoded twice. `None` if there is none, or
/// if it hides no line with a known key: then it is a text like any other.
fn hidden_by_mark(content: &[u8]) -> Option<Code> {
    let (mut rest, code) = after_mark(content)?;
    while let Some((next, _)) = after_mark(rest) {
        rest = next;
    }
    let rest = strip_padding(rest).1;
    if rest.is_empty() {
        return Some(Code::BomBeforeComment);
    }
    let key = match memchr::memchr(b':', rest) {
        Some(colon) => key::read(trim_end(rest.get(..colon)?))?.0,
        None => key::read_without_colon(rest)?.0,
    };
    (key != Key::Other(Extension::Unknown)).then_some(code)
}

/// The text after a byte order mark, and the violation if the mark hides a line.
fn after_mark(text: &[u8]) -> Option<(&[u8], Code)> {
    const MOJIBAKE: &[u8] = "\u{ef}\u{bb}\u{bf}".as_bytes();
    let plain = text.strip_prefix("\u{feff}".as_bytes()).map(|rest| (rest, Code::BomMisplaced));
    plain.or_else(|| Some((text.strip_prefix(MOJIBAKE)?, Code::BomMojibake)))
}
