//! Parses bytes into facts, in one pass over the lines and in linear time. Parsing never fails.

mod agent;
mod content;
mod file;
mod irregular;
mod plain;
mod preference;
mod record;
mod rule;
mod seen;

use crate::body::{self, BodyKind, BodyOffsets, Encoding, LineEndings};
use crate::byte::is_blank;
use crate::limits;
use crate::lists::Lists;
use crate::parsed::{Facts, Parsed};
use crate::scan;
use crate::span::Span;
use crate::violation::{Code, Violation};
use content::{Directive, LineContent};
pub(crate) use record::seconds;
use seen::SeenSet;
use std::borrow::Cow;

/// Parses a body.
///
/// RFC 9309 § 2.3.1.5: "Crawlers MUST try to parse each line of the robots.txt file. Crawlers MUST use the parseable
/// rules." To parse many bodies, keep a [`Parser`], which reuses its memory.
///
/// ```
/// let parsed = robots::parse(b"User-agent: *\nDisallow: /private\n");
/// assert_eq!(parsed.rules().len(), 1);
/// assert!(parsed.facts.conforms);
/// ```
#[must_use]
pub fn parse(body: &[u8]) -> Parsed<'_> {
    Parser::default().parse(body)
}

/// Parses the start of a text that was parsed, up to the offset `end`. It is not decoded again: a second byte order mark
/// is text, as it was when the whole was parsed.
pub(crate) fn parse_start<'p>(parsed: &'p Parsed<'_>, end: usize) -> Parsed<'p> {
    let text = parsed.text.get(..end).unwrap_or_default();
    let marked = Some(parsed.facts.encoding).filter(|encoding| encoding.is_utf16());
    Parser::default().parse_text((text, text.len()), text.len(), text.into(), marked, parsed.after_mark)
}

/// A parser that keeps its memory from one body to the next.
///
/// ```
/// let mut parser = robots::Parser::default();
/// for body in [b"User-agent: a\n", b"User-agent: b\n"] {
///     let parsed = parser.parse(body);
///     assert_eq!(parsed.agents().len(), 1);
///     parser.recycle(parsed);
/// }
/// ```
#[derive(Debug, Default, Clone)]
pub struct Parser {
    lists: Lists,
    paths: SeenSet,
    names: SeenSet,
}

impl Parser {
    /// Parses a body, see [`parse`].
    #[must_use]
    pub fn parse<'b>(&mut self, body: &'b [u8]) -> Parsed<'b> {
        self.parse_kept(body, body.len())
    }

    /// Parses the start of a body: at least its first [`limits::HARD_CAP_BYTES`], or all of it if it is shorter.
    /// `body_bytes` is the length of the whole body.
    ///
    /// ```
    /// let kept = "#\n".repeat(robots::limits::HARD_CAP_BYTES / 2);
    /// let parsed = robots::Parser::default().parse_kept(kept.as_bytes(), kept.len() + 1);
    /// assert!(parsed.facts.parsed_bytes < parsed.facts.body_bytes);
    /// ```
    #[must_use]
    pub fn parse_kept<'b>(&mut self, kept: &'b [u8], body_bytes: usize) -> Parsed<'b> {
        let within_cap = kept.get(..limits::HARD_CAP_BYTES).unwrap_or(kept);
        let parsed = if within_cap.len() < body_bytes { body::whole_lines(within_cap) } else { within_cap };
        let (text, marked, start) = body::decode(parsed);
        self.parse_text((kept, body_bytes), parsed.len(), text, marked, start)
    }

    /// Parses the text of a body from `start` on, after its byte order mark. `marked` is the encoding that the mark of a
    /// converted body names.
    fn parse_text<'b>(
        &mut self,
        (body, body_bytes): (&'b [u8], usize),
        parsed_bytes: usize,
        text: Cow<'b, [u8]>,
        marked: Option<Encoding>,
        start: usize,
    ) -> Parsed<'b> {
        let lists = std::mem::take(&mut self.lists);
        self.paths.clear();
        self.names.clear();
        let mut reader = Reader {
            text: &text,
            lists,
            paths: &mut self.paths,
            names: &mut self.names,
            facts: Facts {
                body_bytes,
                parsed_bytes,
                kind: BodyKind::Text,
                encoding: marked.unwrap_or(Encoding::Ascii),
                has_bom: start > 0 || marked.is_some(),
                line_endings: LineEndings::None,
                line_count: 0,
                blank_lines: 0,
                comment_lines: 0,
                longest_line_bytes: 0,
                allow_count: 0,
                rules_beyond_500_kib: 0,
                violations_by_tier: [0; 3],
                conforms: false,
            },
            line_no: 0,
            head_is_open: false,
            head_is_split: false,
            has_controls: false,
            padding: None,
            offsets: BodyOffsets::new(marked.unwrap_or(Encoding::Ascii)),
        };
        reader.read(start);
        let Reader { lists, facts, .. } = reader;
        let mut parsed = Parsed { body, text, after_mark: start, lists, facts };
        preference::read_preferences(&mut parsed);
        parsed
    }

    /// Takes back the memory of a parsed file, for the next one.
    pub fn recycle(&mut self, parsed: Parsed<'_>) {
        self.lists = parsed.lists;
        // A list shrinks only down to its length.
        self.lists.clear();
        self.lists.shrink();
    }
}

/// The state of one pass.
struct Reader<'t, 'p> {
    text: &'t [u8],
    lists: Lists,
    /// The paths of the open group.
    paths: &'p mut SeenSet,
    /// The tokens of the file.
    names: &'p mut SeenSet,
    facts: Facts,
    line_no: u32,
    /// The last group has no rule yet, so the next user-agent line belongs to it.
    head_is_open: bool,
    /// Another record follows the last user-agent line of the open head.
    head_is_split: bool,
    /// Some line so far has a NUL or another control character.
    has_controls: bool,
    /// The NULs at the start of the current line.
    padding: Option<Span>,
    /// Finds the offsets in the body of lines of the text.
    offsets: BodyOffsets,
}

/// How often lines end in each way.
#[derive(Default)]
struct Eols {
    lf: u32,
    crlf: u32,
    cr: u32,
}

impl Reader<'_, '_> {
    fn read(&mut self, start: usize) {
        if start > 0 {
            self.facts.encoding = Encoding::Utf8;
            self.note(Code::BomUtf8, 1, Span::new(0, start));
        }
        let mut eols = Eols::default();
        let mut at = start;
        let mut is_unended = false;
        let mut longest = 0;
        while at < self.text.len() {
            self.line_no += 1;
            let end = match self.plain_line(at) {
                Some(end) => end,
                None => {
                    let end = scan::line_end(self.text, at);
                    self.line(at, end);
                    end
                }
            };
            longest = longest.max(end - at);
            if end - at > limits::LINE_BYTES {
                self.note_long_line(at, end);
            }
            // § 2.2: "NL = %x0D / %x0A / %x0D.0A", and a CR LF is one.
            at = match (self.text.get(end), self.text.get(end + 1)) {
                (Some(b'\n'), _) => {
                    eols.lf += 1;
                    end + 1
                }
                (Some(_), Some(b'\n')) => {
                    eols.crlf += 1;
                    end + 2
                }
                (Some(_), _) => {
                    eols.cr += 1;
                    end + 1
                }
                (None, _) => {
                    is_unended = true;
                    end
                }
            };
        }
        self.facts.longest_line_bytes = longest as u32;
        if is_unended {
            self.note(Code::EolMissingFinal, self.line_no, Span::new(at, at));
        }
        self.finish(&eols, start);
    }

    /// Reads a line of any kind.
    #[inline(never)]
    fn line(&mut self, line_start: usize, end: usize) {
        let Some(whole) = self.text.get(line_start..end) else { return };
        let start = line_start + whole.iter().take_while(|&&byte| is_blank(byte)).count();
        let Some(content) = self.text.get(start..end) else { return };
        match content.first() {
            None => self.facts.blank_lines += 1,
            Some(b'#') => {
                self.facts.comment_lines += 1;
                if let Some((code, span)) = self.cause_in_comment(start, end) {
                    self.note(code, self.line_no, span);
                }
            }
            Some(_) => self.irregular_line(start, end),
        }
    }

    #[cold]
    fn note_long_line(&mut self, start: usize, end: usize) {
        self.note(Code::LineOver2083, self.line_no, Span::new(start, end));
        if end - start > limits::LINE_BYTES_GOOGLE {
            self.note(Code::LineOver16k, self.line_no, Span::new(start, end));
        }
    }

    /// Whether a part of a line is printing ASCII and tabs. If not, records its bytes in the facts of the file; so the
    /// parser must call this for every byte outside printing ASCII.
    #[inline]
    fn is_plain_ascii(&mut self, text: &[u8]) -> bool {
        let is_plain = scan::is_printing_ascii(text);
        if !is_plain {
            self.note_unusual_bytes(text);
        }
        is_plain
    }

    /// Updates the encoding of the file, and whether it has control characters.
    ///
    /// No character of UTF-8 contains an end of line, so a text is UTF-8 if each of its lines is.
    fn note_unusual_bytes(&mut self, text: &[u8]) {
        self.has_controls |= text.iter().fold(false, |any, byte| any | ((*byte < b' ') & (*byte != b'\t')));
        if self.facts.encoding == Encoding::Ascii && !text.is_ascii() {
            self.facts.encoding = Encoding::Utf8;
        }
        if self.facts.encoding == Encoding::Utf8 && std::str::from_utf8(text).is_err() {
            self.facts.encoding = Encoding::Other;
        }
    }

    /// The first reason why the ABNF does not derive a comment, § 2.2: `comment = "#" *(UTF8-char-noctl / WS / "#")`.
    #[inline]
    fn cause_in_comment(&mut self, start: usize, end: usize) -> Option<(Code, Span)> {
        let comment = self.text.get(start..end)?;
        if self.is_plain_ascii(comment) {
            return None;
        }
        let is_control = |byte: &u8| *byte < b' ' && *byte != b'\t';
        if let Some(at) = comment.iter().position(is_control) {
            let code = if comment.get(at) == Some(&0) { Code::NulByte } else { Code::CommentControlChar };
            return Some((code, Span::new(start + at, start + at + 1)));
        }
        std::str::from_utf8(comment).is_err().then(|| (Code::CommentInvalidUtf8, Span::new(start, end)))
    }

    /// The last step of a line with content: notes its first violation of tier A or B, if it has one. The line's
    /// comment is checked after `cause`, and padding last.
    #[inline]
    fn close(&mut self, cause: Option<(Code, Span)>, content_end: usize, end: usize) {
        let in_comment = if content_end < end { self.cause_in_comment(content_end, end) } else { None };
        let in_padding = self.padding.take().map(|span| (Code::NulByte, span));
        if let Some((code, span)) = cause.or(in_comment).or(in_padding) {
            self.note(code, self.line_no, span);
        }
    }

    /// The last step of a line with a key and a value. Each may have its own violation. NULs before the key are one of
    /// the key. A NUL after the colon is one of the value, and so is a byte of the comment.
    #[inline]
    fn close_directive(&mut self, line: Directive, cause_of_value: Option<(Code, Span)>, content: &LineContent<'_>) {
        let in_comment = self.cause_in_comment(content.end(), line.end);
        let cause_of_value = cause_of_value.or_else(|| content.nul()).or(in_comment);
        let cause_of_key = line.key_cause.or_else(|| self.padding.take().map(|span| (Code::NulByte, span)));
        if let (Some((code, span)), Some(_)) = (cause_of_key, cause_of_value) {
            self.note(code, self.line_no, span);
        }
        self.close(cause_of_value.or(cause_of_key), line.end, line.end);
    }

    #[inline]
    fn note(&mut self, code: Code, line_no: u32, span: Span) {
        if let Some(count) = self.facts.violations_by_tier.get_mut(code.tier() as usize) {
            *count += 1;
        }
        self.lists.violations.push(Violation { code, line_no, span });
    }
}
