//! Bytes in, facts out. Returns for every input, in one pass over its lines, in time linear in its length.

mod agent;
mod record;
mod rule;
mod seen;

use crate::body::{self, Encoding, Kind, LineEndings, Survey};
use crate::byte::{is_blank, trim, trim_end};
use crate::key::{self, Key, Spelling};
use crate::limits;
use crate::line::{Eol, Line, Lines};
use crate::parsed::{Facts, Lists, Parsed};
use crate::span::Span;
use crate::violation::{Code, Tier, Violation};
pub(crate) use record::seconds;
use seen::Seen;

/// Parses a body.
///
/// RFC 9309 § 2.3.1.5: "Crawlers MUST try to parse each line of the robots.txt file. Crawlers MUST use the parseable
/// rules." Whoever parses many keeps a [`Parser`], which reuses what it allocates.
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
    paths: Seen,
    names: Seen,
    name: Vec<u8>,
}

impl Parser {
    /// Parses a body, see [`parse`].
    #[must_use]
    pub fn parse<'b>(&mut self, body: &'b [u8]) -> Parsed<'b> {
        let within_cap = body.get(..limits::HARD_CAP_BYTES).map_or(body, up_to_last_eol);
        let (text, marked, start) = body::decode(within_cap);
        let survey = Survey::of(&text);
        let encoding = marked.unwrap_or_else(|| match survey.has_high {
            false => Encoding::Ascii,
            true if std::str::from_utf8(&text).is_ok() => Encoding::Utf8,
            true => Encoding::Other,
        });
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        self.paths.clear();
        self.names.clear();
        let mut reader = Reader {
            text: &text,
            survey,
            encoding,
            parser: self,
            lists,
            facts: Facts {
                body_bytes: body.len(),
                parsed_bytes: within_cap.len(),
                kind: Kind::Text,
                encoding,
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
            utf16_at: (0, 2),
        };
        reader.read(start);
        let Reader { lists, facts, .. } = reader;
        Parsed { body, text, lists, facts }
    }

    /// Takes back the memory of a file that is done with.
    pub fn recycle(&mut self, parsed: Parsed<'_>) {
        self.lists = parsed.lists;
    }
}

/// What a hard cap leaves of a body: whole lines, since half a rule is another rule.
fn up_to_last_eol(body: &[u8]) -> &[u8] {
    let end = memchr::memrchr2(b'\n', b'\r', body).map_or(0, |at| at + 1);
    body.get(..end).unwrap_or_default()
}

/// The state of one pass.
struct Reader<'t, 'p> {
    text: &'t [u8],
    survey: Survey,
    encoding: Encoding,
    parser: &'p mut Parser,
    lists: Lists,
    facts: Facts,
    line_no: u32,
    /// The last group has user-agent lines and no rule yet, so that a further user-agent line belongs to it.
    head_is_open: bool,
    /// Another record stands behind the last user-agent line of the open head.
    head_is_split: bool,
    /// How far the bytes of a UTF-16 body were counted: in the text, and there.
    utf16_at: (usize, usize),
}

/// One line with a key, on its way to a table.
#[derive(Clone, Copy)]
struct Directive {
    /// Offset behind the colon.
    value_at: usize,
    /// The line's end.
    end: usize,
    /// The departure that its key is.
    key_cause: Option<(Code, Span)>,
}

impl Reader<'_, '_> {
    fn read(&mut self, start: usize) {
        let mut eols = [0u32; 4];
        let mut last_end = start;
        let rest = self.text.get(start..).unwrap_or_default();
        for line in Lines::new(rest, self.survey.has_cr) {
            let line = Line { start: line.start + start, end: line.end + start, eol: line.eol };
            self.line_no += 1;
            if let Some(count) = eols.get_mut(line.eol as usize) {
                *count += 1;
            }
            last_end = line.end;
            self.line(line);
        }
        self.facts.line_count = self.line_no;
        self.facts.line_endings = line_endings(eols);
        if eols[Eol::None as usize] > 0 {
            self.note(Code::EolMissingFinal, self.line_no, Span::new(last_end, last_end));
        }
        if start > 0 {
            self.note(Code::BomUtf8, 1, Span::new(0, start));
        }
        self.facts.kind = self.kind();
        let [a, b, _] = self.facts.violations_by_tier;
        self.facts.conforms = a == 0
            && b == 0
            && self.facts.encoding != Encoding::Utf16Le
            && self.facts.encoding != Encoding::Utf16Be
            && self.facts.parsed_bytes == self.facts.body_bytes;
        // A page is one departure and not as many as it has lines.
        let is_no_robots = matches!(self.facts.kind, Kind::Html | Kind::Xml | Kind::Json | Kind::Binary);
        if is_no_robots && self.lists.agents.is_empty() && self.lists.rules.is_empty() {
            self.lists.violations.clear();
            self.facts.violations_by_tier = [0; 3];
        }
        self.note_file();
    }

    #[inline]
    fn line(&mut self, line: Line) {
        let Line { mut start, end, .. } = line;
        self.facts.longest_line_bytes = self.facts.longest_line_bytes.max((end - start) as u32);
        while let Some(&byte) = self.text.get(start)
            && start < end
            && is_blank(byte)
        {
            start += 1;
        }
        let Some(content) = self.text.get(start..end) else { return };
        match content {
            [] => self.facts.blank_lines += 1,
            [b'#', ..] => {
                self.facts.comment_lines += 1;
                if let Some((code, span)) = self.cause_in_comment(start, end) {
                    self.note(code, self.line_no, span);
                }
            }
            _ => self.directive(start, end, content),
        }
        if end - line.start > limits::LINE_BYTES {
            self.note_long_line(line);
        }
    }

    /// A line that is neither blank nor a comment. The spellings that nearly all lines have are read here, with two
    /// comparisons; [`Self::odd_line`] reads the others.
    #[inline]
    fn directive(&mut self, start: usize, end: usize, content: &[u8]) {
        const LOWER: u64 = 0x2020_2020_2020_2020;
        let line = |value_at| Directive { value_at: start + value_at, end, key_cause: None };
        if let Some((first, rest)) = content.split_first_chunk::<8>() {
            // Setting 0x20 makes a capital small. What else it changes cannot come out as a letter, and as a hyphen
            // only a CR can, which no line has inside.
            match (&(u64::from_le_bytes(*first) | LOWER).to_le_bytes(), rest) {
                (b"disallow", [b':', ..]) => return self.rule(false, line(9)),
                (b"user-age", [n, t, b':', ..]) if n | 0x20 == b'n' && t | 0x20 == b't' => return self.agent(line(11)),
                ([b'a', b'l', b'l', b'o', b'w', ..], _) if content.get(5) == Some(&b':') => {
                    return self.rule(true, line(6));
                }
                _ => {}
            }
        }
        self.odd_line(start, end);
    }

    /// A line whose key is another one, or is not written as nearly all lines write it.
    #[inline(never)]
    fn odd_line(&mut self, start: usize, end: usize) {
        const MOJIBAKE: &[u8] = b"\xc3\xaf\xc2\xbb\xc2\xbf";
        let Some(whole) = self.text.get(start..end) else { return };
        let content = whole.get(..memchr::memchr(b'#', whole).unwrap_or(whole.len())).unwrap_or_default();
        for (mark, code) in [("\u{feff}".as_bytes(), Code::BomMisplaced), (MOJIBAKE, Code::BomMojibake)] {
            if content.starts_with(mark) {
                return self.behind_mark(start, start + mark.len(), end, code);
            }
        }
        if content.starts_with(b"\0") {
            let nuls = content.iter().take_while(|&&byte| byte == 0 || is_blank(byte)).count();
            return self.behind_mark(start, start + nuls, end, Code::NulByte);
        }
        let content_span = Span::new(start, start + trim_end(content).len());
        let lost = |code| Some((code, content_span));
        if content.starts_with(b"<") {
            return self.close(lost(Code::HtmlLine), content.len(), start, end);
        }
        let Some(colon) = memchr::memchr(b':', content) else {
            return match key::read_without_colon(content) {
                Some((key, value_at)) => {
                    let line = Directive { value_at: start + value_at, end, key_cause: lost(Code::ColonMissing) };
                    let written = content.get(..value_at).map_or(0, |key| trim_end(key).len());
                    self.keyed(key, Span::new(start, start + written), line);
                }
                None => self.close(lost(Code::LineNotUnderstood), content.len(), start, end),
            };
        };
        let written = content.get(..colon).map_or(0, |key| trim_end(key).len());
        let key_span = Span::new(start, start + written);
        let written = key_span.of(self.text);
        let behind = content.get(colon + 1..).unwrap_or_default();
        let is_url = written.eq_ignore_ascii_case(b"http") || written.eq_ignore_ascii_case(b"https");
        let code = match key::read(written) {
            _ if written.is_empty() => Code::KeyEmpty,
            _ if is_url && behind.starts_with(b"//") => Code::StrayUrl,
            None => Code::KeyInvalid,
            Some((key, spelling)) => {
                let key_cause = match spelling {
                    Spelling::Exact => None,
                    Spelling::Misspelt => Some((Code::KeyMisspelt, key_span)),
                    Spelling::BadWhitespace => Some((Code::KeyBadWhitespace, key_span)),
                };
                return self.keyed(key, key_span, Directive { value_at: start + colon + 1, end, key_cause });
            }
        };
        self.close(lost(code), content.len(), start, end);
    }

    /// A line that begins with something which is not meant to be there, and is read as if it were not.
    fn behind_mark(&mut self, start: usize, behind: usize, end: usize, code: Code) {
        self.note(code, self.line_no, Span::new(start, behind));
        let rest = self.text.get(behind..end).unwrap_or_default();
        let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
        match rest.get(blanks..).unwrap_or_default() {
            [] | [b'#', ..] => {}
            _ => self.odd_line_again(behind + blanks, end),
        }
    }

    /// The rest of such a line. A mark behind a mark is skipped here and not by recursion, whose depth a file could
    /// otherwise choose.
    fn odd_line_again(&mut self, start: usize, end: usize) {
        let mut rest = self.text.get(start..end).unwrap_or_default();
        let is_mark = |rest: &[u8]| match rest {
            [0xef, 0xbb, 0xbf, ..] => 3,
            [0xc3, 0xaf, 0xc2, 0xbb, 0xc2, 0xbf, ..] => 6,
            [0 | b' ' | b'\t', ..] => 1,
            _ => 0,
        };
        while let Some(behind) = Some(is_mark(rest)).filter(|&length| length > 0).and_then(|length| rest.get(length..))
        {
            rest = behind;
        }
        if !rest.is_empty() && !rest.starts_with(b"#") {
            self.directive(end - rest.len(), end, rest);
        }
    }

    fn keyed(&mut self, key: Key, key_span: Span, line: Directive) {
        match key {
            Key::UserAgent => self.agent(line),
            Key::Allow => self.rule(true, line),
            Key::Disallow => self.rule(false, line),
            Key::Other(extension) => self.record(extension, key_span, line),
        }
    }

    /// The last step of each line with content: its first cause in tier A or B, if it has one.
    ///
    /// The comment at its end is looked at last, and a NUL anywhere in it counts where nothing else does.
    #[inline]
    fn close(&mut self, cause: Option<(Code, Span)>, content_len: usize, content_at: usize, end: usize) {
        let behind = content_at + content_len;
        let cause = match cause {
            None if behind < end => self.cause_in_comment(behind, end),
            cause => cause,
        };
        if let Some((code, span)) = cause {
            self.note(code, self.line_no, span);
        }
    }

    /// § 2.2: `comment = "#" *(UTF8-char-noctl / WS / "#")`.
    #[inline]
    fn cause_in_comment(&self, start: usize, end: usize) -> Option<(Code, Span)> {
        if !self.survey.has_controls && self.encoding != Encoding::Other {
            return None;
        }
        let comment = self.text.get(start..end)?;
        let is_control = |byte: &u8| *byte < b' ' && *byte != b'\t';
        if let Some(at) = comment.iter().position(is_control) {
            let code = if comment.get(at) == Some(&0) { Code::NulByte } else { Code::CommentControlChar };
            return Some((code, Span::new(start + at, start + at + 1)));
        }
        std::str::from_utf8(comment).is_err().then(|| (Code::CommentInvalidUtf8, Span::new(start, end)))
    }

    /// Where what ends at this offset of the text ended in the body.
    #[inline]
    fn offset_in_body(&mut self, end: usize) -> usize {
        match self.encoding {
            Encoding::Utf16Le | Encoding::Utf16Be => {
                let (text_at, body_at) = self.utf16_at;
                let bytes = body::utf16_bytes(self.text.get(text_at..end).unwrap_or_default());
                self.utf16_at = (end.max(text_at), body_at + bytes);
                body_at + bytes
            }
            _ => end,
        }
    }

    #[inline]
    fn note(&mut self, code: Code, line_no: u32, span: Span) {
        let [a, b, c] = &mut self.facts.violations_by_tier;
        *match code.tier() {
            Tier::A => a,
            Tier::B => b,
            Tier::C => c,
        } += 1;
        self.lists.violations.push(Violation { code, line_no, span });
    }

    #[cold]
    fn note_long_line(&mut self, line: Line) {
        let code =
            if line.end - line.start > limits::LINE_BYTES_GOOGLE { Code::LineOver16k } else { Code::LineOver2083 };
        self.note(code, self.line_no, Span::new(line.start, line.end));
    }

    fn kind(&self) -> Kind {
        let text = self.text;
        let has_lines = !self.lists.agents.is_empty() || !self.lists.rules.is_empty();
        let is_named = |record: &crate::parsed::Record| record.extension != key::Extension::Unknown;
        let sniffed = Kind::sniff(text);
        match sniffed {
            Some(Kind::Json) if has_lines => Kind::Robots,
            Some(kind) => kind,
            None if self.survey.has_controls && body::is_mostly_noise(text) => Kind::Binary,
            None if self.facts.blank_lines == self.facts.line_count => Kind::Empty,
            None if self.facts.blank_lines + self.facts.comment_lines == self.facts.line_count => Kind::CommentsOnly,
            None if has_lines || self.lists.records.iter().any(is_named) => Kind::Robots,
            None => Kind::Text,
        }
    }

    fn note_file(&mut self) {
        use Code::{
            EolCrOnly, EolMixed, FileBinary, FileEmpty, FileHtml, FileNoGroup, FileNotUtf8, FileOnlyComments,
            FileOver500Kib, FileOver2048Rules, FileUtf16,
        };
        let facts = self.facts;
        let found = [
            (EolMixed, facts.line_endings == LineEndings::Mixed),
            (EolCrOnly, facts.line_endings == LineEndings::Cr),
            (FileEmpty, facts.kind == Kind::Empty),
            (FileOnlyComments, facts.kind == Kind::CommentsOnly),
            (FileNoGroup, self.lists.groups.is_empty() && !matches!(facts.kind, Kind::Empty | Kind::CommentsOnly)),
            (FileOver500Kib, facts.exceeds_500_kib()),
            (FileOver2048Rules, self.lists.rules.len() > limits::RULES),
            (FileHtml, facts.kind == Kind::Html),
            (FileNotUtf8, facts.encoding == Encoding::Other),
            (FileUtf16, matches!(facts.encoding, Encoding::Utf16Le | Encoding::Utf16Be)),
            (FileBinary, facts.kind == Kind::Binary),
        ];
        for (code, _) in found.into_iter().filter(|(_, is_so)| *is_so) {
            self.note(code, 0, Span::default());
        }
    }
}

fn line_endings([lf, crlf, cr, _]: [u32; 4]) -> LineEndings {
    match (lf > 0, crlf > 0, cr > 0) {
        (false, false, false) => LineEndings::None,
        (true, false, false) => LineEndings::Lf,
        (false, true, false) => LineEndings::CrLf,
        (false, false, true) => LineEndings::Cr,
        _ => LineEndings::Mixed,
    }
}

/// The part of a value that counts: without blanks around it, and without NULs, which some writers pad with.
fn bare(value: &[u8]) -> &[u8] {
    let is_padding = |byte: &u8| *byte == 0 || is_blank(*byte);
    let end = value.iter().rposition(|byte| !is_padding(byte)).map_or(0, |last| last + 1);
    let value = value.get(..end).unwrap_or_default();
    let start = value.iter().take_while(|byte| is_padding(byte)).count();
    trim(value.get(start..).unwrap_or_default())
}
