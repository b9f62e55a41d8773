//! Facts of the whole file, after the last line.

use super::{Eols, Reader};
use crate::body::{self, BodyKind, Encoding, LineEndings};
use crate::extension::Extension;
use crate::limits;
use crate::lists::Lists;
use crate::parsed::{Facts, OtherRecord};
use crate::span::Span;
use crate::violation::Code;

impl Reader<'_, '_> {
    /// `start` is the offset after the byte order mark.
    pub(super) fn finish(&mut self, eols: &Eols, start: usize) {
        self.facts.line_count = self.line_no;
        self.facts.line_endings = line_endings(eols);
        self.facts.kind = self.kind(self.text.get(start..).unwrap_or_default());
        let [a, b, _] = self.facts.violations_by_tier;
        let is_whole = self.facts.parsed_bytes == self.facts.body_bytes;
        self.facts.conforms = a == 0 && b == 0 && is_whole && !self.facts.encoding.is_utf16();
        if is_one_violation(&self.facts, &self.lists) {
            self.lists.violations.clear();
            self.facts.violations_by_tier = [0; 3];
        }
        self.note_file();
    }

    /// `text` has no byte order mark: a mark says nothing about the kind of document after it.
    fn kind(&self, text: &[u8]) -> BodyKind {
        let facts = &self.facts;
        let is_named = |record: &OtherRecord| record.extension != Extension::Unknown;
        match BodyKind::sniff(text) {
            Some(BodyKind::Json) if has_lines(&self.lists) => BodyKind::Robots,
            Some(kind) => kind,
            None if self.has_controls && body::is_mostly_noise(text) => BodyKind::Binary,
            None if facts.parsed_bytes == 0 && facts.body_bytes > 0 => BodyKind::Text,
            None if facts.blank_lines == facts.line_count => BodyKind::Empty,
            None if facts.blank_lines + facts.comment_lines == facts.line_count => BodyKind::CommentsOnly,
            None if has_lines(&self.lists) || self.lists.records.iter().any(is_named) => BodyKind::Robots,
            None => BodyKind::Text,
        }
    }

    fn note_file(&mut self) {
        let facts = &self.facts;
        let has_nothing = matches!(facts.kind, BodyKind::Empty | BodyKind::CommentsOnly);
        let found = [
            (Code::EolMixed, facts.line_endings == LineEndings::Mixed),
            (Code::EolCrOnly, facts.line_endings == LineEndings::Cr),
            (Code::FileEmpty, facts.kind == BodyKind::Empty),
            (Code::FileOnlyComments, facts.kind == BodyKind::CommentsOnly),
            (Code::FileNoGroup, self.lists.groups.is_empty() && !has_nothing),
            (Code::FileOver500Kib, facts.exceeds_500_kib()),
            (Code::FileOver16Mib, facts.parsed_bytes < facts.body_bytes),
            (Code::FileOver2048Rules, self.lists.rules.len() > limits::RULES),
            (Code::FileHtml, facts.kind == BodyKind::Html),
            (Code::FileNotUtf8, facts.encoding == Encoding::Other),
            (Code::FileUtf16, facts.encoding.is_utf16()),
            (Code::FileBinary, facts.kind == BodyKind::Binary),
        ];
        for (code, is_so) in found {
            if is_so {
                self.note(code, 0, Span::default());
            }
        }
    }
}

/// Whether a body is another kind of document, such as a web page: that is one violation, not one per line.
pub(super) fn is_one_violation(facts: &Facts, lists: &Lists) -> bool {
    !facts.kind.may_be_robots() && !has_lines(lists)
}

fn has_lines(lists: &Lists) -> bool {
    !lists.agents.is_empty() || !lists.rules.is_empty()
}

fn line_endings(eols: &Eols) -> LineEndings {
    match (eols.lf > 0, eols.crlf > 0, eols.cr > 0) {
        (false, false, false) => LineEndings::None,
        (true, false, false) => LineEndings::Lf,
        (false, true, false) => LineEndings::CrLf,
        (false, false, true) => LineEndings::Cr,
        _ => LineEndings::Mixed,
    }
}
