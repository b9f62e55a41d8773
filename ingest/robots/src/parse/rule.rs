//! Allow and disallow lines, RFC 9309 § 2.2.2.

use super::Reader;
use super::content::{Directive, LineContent};
use super::record::is_web_url;
use crate::byte::{self, class, hex, is_blank, is_unreserved};
use crate::limits;
use crate::parsed::Rule;
use crate::pattern::normal;
use crate::scan::{self, Specials};
use crate::span::Span;
use crate::violation::Code;

const ALLOW: u8 = 1;
const DISALLOW: u8 = 2;

impl Reader<'_, '_> {
    pub(super) fn rule(&mut self, allow: bool, line: Directive) {
        let content = line.content(self.text);
        let LineContent { value: pattern, span, .. } = content;
        let classes = pattern.iter().fold(0, |classes, &byte| classes | class(byte));
        let cause = self.cause_of_rule(pattern, span, classes);
        self.close_directive(line, cause, &content);
        let found = scan::specials(pattern);
        match pattern {
            [] if allow => self.note(Code::AllowEmpty, self.line_no, span),
            [] => {}
            pattern => self.remark_pattern(pattern, span, found),
        }
        if classes & byte::HIGH != 0
            && let Some(at) = pattern.iter().position(|byte| !byte.is_ascii())
        {
            let is_tail = |byte: &&u8| (0x80..0xc0).contains(*byte);
            let length = 1 + pattern.iter().skip(at + 1).take_while(is_tail).count();
            let start = span.start as usize + at;
            self.note(Code::PathNonAscii, self.line_no, Span::new(start, start + length));
        }
        if !pattern.is_empty() && span.end() == content.end() && span.end() < line.end {
            self.note(Code::PathCutByHash, self.line_no, Span::new(span.end(), line.end));
        }
        let whole_end = span.end();
        let (pattern, span) = content.first_bytes(limits::VALUE_BYTES);
        let normal = if normal::may_differ(classes) { self.normal_of(pattern) } else { None };
        let is_cut = pattern.len() < content.value.len();
        let rule = Rule {
            line_no: self.line_no,
            pattern: span,
            normal,
            wildcards: if is_cut { scan::specials(pattern).stars } else { found.stars },
            allow,
            anchored: pattern.ends_with(b"$"),
            key_is_misspelt: line.key_cause.is_some(),
            ..Rule::default()
        };
        self.push_rule(rule, whole_end);
    }

    /// Adds a rule to the open group, and notes it if the group has a rule for the same path. Its pattern as written ends
    /// at `end`, although less of it may be kept.
    ///
    /// § 2.2.2: "Duplicate rules in a group MAY be deduplicated. If an "allow" rule and a "disallow" rule are
    /// equivalent, then the "allow" rule SHOULD be used."
    #[inline(always)]
    pub(super) fn push_rule(&mut self, mut rule: Rule, end: usize) {
        if self.facts.body_bytes > limits::FIVE_HUNDRED_KIB {
            rule.beyond_500_kib = self.offsets.find(self.text, end) > limits::FIVE_HUNDRED_KIB;
            self.facts.rules_beyond_500_kib += u32::from(rule.beyond_500_kib);
        }
        self.facts.allow_count += u32::from(rule.allow);
        self.head_is_open = false;
        let last = (self.lists.groups.len() as u32).checked_sub(1);
        let Some(group) = self.lists.groups.last_mut() else {
            self.lists.rules.push(rule);
            return;
        };
        rule.group = last;
        group.rules += 1;
        self.lists.rules.push(rule);
        if rule.pattern.len == 0 {
            return;
        }
        let (text, lists) = (self.text, &self.lists);
        let path = |rule: &Rule| rule.normal_in(text, &lists.normals);
        let path_of = |rule: u32| lists.rules.get(rule as usize).map_or(&b""[..], path);
        let (mine, other) = if rule.allow { (ALLOW, DISALLOW) } else { (DISALLOW, ALLOW) };
        if let Some((_, marks)) = self.paths.note(path(&rule), lists.rules.len() as u32 - 1, mine, path_of) {
            let code = if marks & mine != 0 { Code::RuleDuplicate } else { Code::RuleConflict };
            debug_assert!(marks & (mine | other) != 0);
            self.note(code, self.line_no, rule.pattern);
        }
    }

    /// The first reason why the ABNF does not derive the line, § 2.2: `path-pattern = "/" *UTF8-char-noctl`.
    pub(super) fn cause_of_rule(&self, pattern: &[u8], span: Span, classes: u16) -> Option<(Code, Span)> {
        if self.lists.groups.is_empty() {
            return Some((Code::RuleBeforeGroup, span));
        }
        match pattern.first()? {
            b'/' => {}
            b'*' => return Some((Code::PathStarStart, span)),
            _ => {
                let is_url = is_web_url(pattern);
                return Some((if is_url { Code::PathAbsoluteUrl } else { Code::PathNoSlash }, span));
            }
        }
        if classes & (byte::BLANK | byte::CONTROL | byte::HIGH) == 0 {
            return None;
        }
        let at = |is_so: fn(&u8) -> bool| {
            let at = span.start as usize + pattern.iter().position(is_so)?;
            Some(Span::new(at, at + 1))
        };
        if let Some(blank) = at(|byte| is_blank(*byte)) {
            return Some((Code::PathSpace, blank));
        }
        if let Some(control) = at(|byte| class(*byte) == byte::CONTROL) {
            return Some((Code::PathControlChar, control));
        }
        let at = span.start as usize + std::str::from_utf8(pattern).err()?.valid_up_to();
        Some((Code::PathInvalidUtf8, Span::new(at, at + 1)))
    }

    /// Notes the remarks on a path that is not empty.
    #[inline]
    pub(super) fn remark_pattern(&mut self, pattern: &[u8], span: Span, found: Specials) {
        let place = |at: usize, len: usize| Span::new(span.start as usize + at, span.start as usize + at + len);
        let last = pattern.len() - 1;
        if pattern.len() > limits::PATH_BYTES {
            self.note(Code::PathOver1024, self.line_no, span);
        }
        if found.has_percent {
            self.remark_encoding(pattern, span);
        }
        if found.has_dollar
            && let Some(at) = memchr::memchr(b'$', pattern).filter(|at| *at < last)
        {
            self.note(Code::PathDollarInside, self.line_no, place(at, 1));
        }
        if last > 0 && pattern.ends_with(b"*") {
            self.note(Code::PathStarTrailing, self.line_no, place(last, 1));
        }
        if found.stars > 1
            && let Some(at) = pattern.windows(2).position(|two| two == b"**")
        {
            self.note(Code::PathStarRun, self.line_no, place(at, 2));
        }
    }

    fn remark_encoding(&mut self, pattern: &[u8], span: Span) {
        let place = |at: usize, len: usize| Span::new(span.start as usize + at, span.start as usize + at + len);
        let (mut invalid, mut lowercase, mut unreserved) = (None, None, None);
        for at in memchr::memchr_iter(b'%', pattern) {
            let Some(octet) = normal::encoded(pattern, at) else {
                invalid = invalid.or(Some(place(at, 1)));
                continue;
            };
            let digits = pattern.get(at + 1..at + 3).unwrap_or_default();
            if digits.iter().any(|digit| digit.is_ascii_lowercase() && hex(*digit).is_some()) {
                lowercase = lowercase.or(Some(place(at, 3)));
            }
            if is_unreserved(octet) {
                unreserved = unreserved.or(Some(place(at, 3)));
            }
        }
        let found = [
            (Code::PathPctInvalid, invalid),
            (Code::PathPctLowercase, lowercase),
            (Code::PathPctUnreserved, unreserved),
        ];
        for (code, span) in found {
            if let Some(span) = span {
                self.note(code, self.line_no, span);
            }
        }
    }

    /// Stores the normal form of a pattern, if it differs.
    pub(super) fn normal_of(&mut self, pattern: &[u8]) -> Option<Span> {
        let start = self.lists.normals.len();
        normal::write_pattern(pattern, &mut self.lists.normals);
        if self.lists.normals.get(start..) == Some(pattern) {
            self.lists.normals.truncate(start);
            return None;
        }
        Some(Span::new(start, self.lists.normals.len()))
    }
}
