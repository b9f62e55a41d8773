//! Allow and disallow lines, RFC 9309 § 2.2.2.

use super::{Directive, Reader, bare};
use crate::body::Encoding;
use crate::byte::{self, class, hex, is_blank, is_unreserved};
use crate::limits;
use crate::parsed::{Normal, Rule};
use crate::pattern::normal;
use crate::span::Span;
use crate::violation::Code;

const ALLOW: u8 = 1;
const DISALLOW: u8 = 2;

impl Reader<'_, '_> {
    #[inline]
    pub(super) fn rule(&mut self, allow: bool, line: Directive) {
        let Directive { mut value_at, end, key_cause } = line;
        while let Some(&byte) = self.text.get(value_at)
            && value_at < end
            && is_blank(byte)
        {
            value_at += 1;
        }
        let Some(rest) = self.text.get(value_at..end) else { return };
        let (mut classes, mut content_len) = (0, rest.len());
        for (at, &byte) in rest.iter().enumerate() {
            let class = class(byte);
            if class == byte::HASH {
                content_len = at;
                break;
            }
            classes |= class;
        }
        let content = rest.get(..content_len).unwrap_or_default();
        let mut pattern = content;
        if classes & (byte::BLANK | byte::NUL) != 0 {
            let start = content.iter().take_while(|&&byte| byte == 0 || is_blank(byte)).count();
            pattern = bare(content);
            if classes & byte::NUL != 0 {
                value_at += start;
            }
        }
        let pattern_span = Span::new(value_at, value_at + pattern.len());
        let is_in_group = !self.lists.groups.is_empty();
        let cause = self.cause_of_rule(is_in_group, pattern, pattern_span, classes).or(key_cause).or_else(|| {
            let at = memchr::memchr(0, content)?;
            Some((Code::NulByte, Span::new(end - rest.len() + at, end - rest.len() + at + 1)))
        });
        self.close(cause, content_len, end - rest.len(), end);

        let mut wildcards = 0;
        let mut anchored = false;
        if pattern.is_empty() {
            if allow {
                self.note(Code::AllowEmpty, self.line_no, pattern_span);
            }
        } else {
            if classes & (byte::STAR | byte::DOLLAR) != 0 {
                (wildcards, anchored) = self.special_characters(pattern, pattern_span);
            }
            if classes & (byte::PERCENT | byte::HIGH) != 0 {
                self.remark_encoding(pattern, pattern_span, classes);
            }
            if content_len < rest.len() && pattern.len() == content_len {
                self.note(Code::PathCutByHash, self.line_no, Span::new(pattern_span.end(), end));
            }
            if pattern.len() > limits::PATH_BYTES {
                self.note(Code::PathOver1024, self.line_no, pattern_span);
            }
        }
        let normal = self.normal_of(pattern, classes);
        let beyond_500_kib = self.facts.body_bytes > limits::FIVE_HUNDRED_KIB
            && self.offset_in_body(pattern_span.end()) > limits::FIVE_HUNDRED_KIB;
        self.facts.rules_beyond_500_kib += u32::from(beyond_500_kib);
        self.facts.allow_count += u32::from(allow);
        let rule = Rule {
            line_no: self.line_no,
            group: self.lists.groups.len().checked_sub(1).map(|group| group as u32),
            pattern: pattern_span,
            normal,
            wildcards,
            allow,
            anchored,
            beyond_500_kib,
            key_is_misspelt: key_cause.is_some(),
        };
        let rule_no = self.lists.rules.len() as u32;
        self.lists.rules.push(rule);
        self.head_is_open = false;
        if let Some(group) = self.lists.groups.last_mut() {
            group.rules += 1;
            if !pattern.is_empty() {
                self.note_if_seen(&rule, rule_no);
            }
        }
    }

    /// The first reason why the ABNF does not derive the line, § 2.2: `path-pattern = "/" *UTF8-char-noctl`.
    #[inline]
    fn cause_of_rule(&self, is_in_group: bool, pattern: &[u8], span: Span, classes: u16) -> Option<(Code, Span)> {
        const CLEAN: u16 = byte::BLANK | byte::CONTROL | byte::HIGH | byte::NUL;
        if !is_in_group {
            return Some((Code::RuleBeforeGroup, span));
        }
        match pattern.first() {
            None => return None,
            Some(b'/') if classes & CLEAN == 0 => return None,
            Some(b'/') => {}
            Some(b'*') => return Some((Code::PathStarStart, span)),
            Some(_) => {
                let begins =
                    |scheme: &[u8]| pattern.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
                let is_url = begins(b"http://") || begins(b"https://");
                return Some((if is_url { Code::PathAbsoluteUrl } else { Code::PathNoSlash }, span));
            }
        }
        let at = |is_so: fn(&u8) -> bool| {
            let at = span.start as usize + pattern.iter().position(is_so)?;
            Some(Span::new(at, at + 1))
        };
        if let Some(blank) = at(|byte| is_blank(*byte)) {
            return Some((Code::PathSpace, blank));
        }
        if let Some(control) = at(|byte| *byte < b' ' && *byte != 0) {
            return Some((Code::PathControlChar, control));
        }
        let is_invalid = self.encoding == Encoding::Other && std::str::from_utf8(pattern).is_err();
        is_invalid.then_some((Code::PathInvalidUtf8, span))
    }

    /// Counts the stars, finds the anchor, § 2.2.3, and remarks on what stands oddly.
    fn special_characters(&mut self, pattern: &[u8], span: Span) -> (u32, bool) {
        let place = |at: usize, len: usize| Span::new(span.start as usize + at, span.start as usize + at + len);
        let wildcards = memchr::memchr_iter(b'*', pattern).count() as u32;
        let anchored = pattern.ends_with(b"$");
        let inside = pattern.len() - usize::from(anchored);
        if let Some(at) = memchr::memchr(b'$', pattern.get(..inside).unwrap_or_default()) {
            self.note(Code::PathDollarInside, self.line_no, place(at, 1));
        }
        if wildcards > 0 {
            if pattern.len() > 1 && pattern.ends_with(b"*") {
                self.note(Code::PathStarTrailing, self.line_no, place(pattern.len() - 1, 1));
            }
            if wildcards > 1
                && let Some(at) = memchr::memmem::find(pattern, b"**")
            {
                self.note(Code::PathStarRun, self.line_no, place(at, 2));
            }
        }
        (wildcards, anchored)
    }

    fn remark_encoding(&mut self, pattern: &[u8], span: Span, classes: u16) {
        let place = |at: usize, len: usize| Span::new(span.start as usize + at, span.start as usize + at + len);
        let (mut invalid, mut lowercase, mut unreserved) = (None, None, None);
        if classes & byte::PERCENT != 0 {
            for at in memchr::memchr_iter(b'%', pattern) {
                match normal::encoded(pattern, at) {
                    None => invalid = invalid.or(Some(place(at, 1))),
                    Some(octet) => {
                        let digits = pattern.get(at + 1..at + 3).unwrap_or_default();
                        if digits.iter().any(|digit| digit.is_ascii_lowercase() && hex(*digit).is_some()) {
                            lowercase = lowercase.or(Some(place(at, 3)));
                        }
                        if is_unreserved(octet) {
                            unreserved = unreserved.or(Some(place(at, 3)));
                        }
                    }
                }
            }
        }
        let high = pattern.iter().position(|byte| !byte.is_ascii()).map(|at| place(at, 1));
        let found = [
            (Code::PathPctInvalid, invalid),
            (Code::PathPctLowercase, lowercase),
            (Code::PathPctUnreserved, unreserved),
            (Code::PathNonAscii, high),
        ];
        for (code, span) in found {
            if let Some(span) = span {
                self.note(code, self.line_no, span);
            }
        }
    }

    #[inline]
    fn normal_of(&mut self, pattern: &[u8], classes: u16) -> Normal {
        if !normal::may_differ(classes) {
            return Normal::AsWritten;
        }
        let start = self.lists.normals.len();
        normal::write_pattern(pattern, &mut self.lists.normals);
        let written = self.lists.normals.get(start..).unwrap_or_default();
        if written == pattern {
            self.lists.normals.truncate(start);
            return Normal::AsWritten;
        }
        Normal::Apart(Span::new(start, self.lists.normals.len()))
    }

    /// § 2.2.2: "Duplicate rules in a group MAY be deduplicated. If an "allow" rule and a "disallow" rule are
    /// equivalent, then the "allow" rule SHOULD be used."
    #[inline]
    fn note_if_seen(&mut self, rule: &Rule, rule_no: u32) {
        let (text, lists) = (self.text, &self.lists);
        let normal = rule.normal_in(text, &lists.normals);
        let is_same = |other: u32| {
            lists.rules.get(other as usize).is_some_and(|other| other.normal_in(text, &lists.normals) == normal)
        };
        let (mine, other) = if rule.allow { (ALLOW, DISALLOW) } else { (DISALLOW, ALLOW) };
        if let Some((_, marks)) = self.parser.paths.note(normal, rule_no, mine, is_same) {
            if marks & mine != 0 {
                self.note(Code::RuleDuplicate, self.line_no, rule.pattern);
            } else if marks & other != 0 {
                self.note(Code::RuleConflict, self.line_no, rule.pattern);
            }
        }
    }
}
