//! A fast path for the most frequent lines: a known key, a colon, at most one space, and a value without violations. A
//! few comparisons find the key, and one scan finds the end of the line. [`super::irregular`] reads all other lines, and
//! would read these with the same result.

use super::Reader;
use super::content::Directive;
use crate::byte::{self, class};
use crate::extension::Extension;
use crate::limits;
use crate::parsed::Rule;
use crate::scan;
use crate::span::Span;
use crate::token::Anatomy;

/// Longer values are left to [`super::irregular`], which checks the limits on paths and lines.
const LONG: usize = limits::PATH_BYTES - 64;

impl Reader<'_, '_> {
    /// Reads the line that starts here if its key is a common one, and returns its end.
    #[inline(always)]
    pub(super) fn plain_line(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        match rest.first()? {
            b'\n' | b'\r' => {
                self.facts.blank_lines += 1;
                return Some(at);
            }
            b'#' => return self.plain_comment(at),
            _ => {}
        }
        let first = u64::from_le_bytes(*rest.first_chunk()?);
        // Setting bit 0x20 turns capitals into small letters, and no other byte into a letter. But it turns CR into a
        // hyphen and another control character into a colon, so hyphens and colons are also compared unchanged.
        let lower = first | word(&[0x20; 8]);
        let is_key = |key: &[u8; 8], mask: u64| lower & mask == word(key) & mask;
        let is_at = |place: usize, byte: u8| rest.get(place) == Some(&byte);
        match lower.to_le_bytes()[0] {
            b'd' if is_key(b"disallow", !0) && is_at(8, b':') => Some(self.plain_rule(false, at + 9)),
            b'a' if is_key(b"allow\0\0\0", word(b"\xff\xff\xff\xff\xff\0\0\0")) && is_at(5, b':') => {
                Some(self.plain_rule(true, at + 6))
            }
            b'u' if is_key(b"user-age", !0) && is_at(4, b'-') => match rest.get(8..11) {
                Some([b'n' | b'N', b't' | b'T', b':']) => Some(self.plain_agent(at + 11)),
                _ => None,
            },
            b's' if is_key(b"sitemap:", !0) && is_at(7, b':') => Some(self.plain_record(Extension::Sitemap, at, 7)),
            b'c' if is_key(b"crawl-de", !0) && is_at(5, b'-') => match rest.get(8..12) {
                Some([b'l' | b'L', b'a' | b'A', b'y' | b'Y', b':']) => {
                    Some(self.plain_record(Extension::CrawlDelay, at, 11))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Finds the end of a line with a common key whose value is not plain.
    #[inline(never)]
    fn odd_value(&mut self, value_at: usize) -> Directive {
        let end = scan::line_end(self.text, value_at);
        let content = self.text.get(value_at..end).unwrap_or_default();
        self.is_plain_ascii(content);
        Directive { value_at, end, key_cause: None }
    }

    #[inline]
    fn plain_comment(&mut self, at: usize) -> Option<usize> {
        let end = scan::line_end(self.text, at);
        let is_plain = scan::is_printing_ascii(self.text.get(at..end)?);
        self.facts.comment_lines += u32::from(is_plain);
        is_plain.then_some(end)
    }

    #[inline(never)]
    fn plain_record(&mut self, extension: Extension, at: usize, key_len: usize) -> usize {
        let line = self.odd_value(at + key_len + 1);
        self.record(extension, Span::new(at, at + key_len), line);
        line.end
    }

    #[inline(always)]
    fn plain_rule(&mut self, allow: bool, after_colon: usize) -> usize {
        let start = after_colon + usize::from(self.text.get(after_colon) == Some(&b' '));
        let (end, is_special) = scan::plain_end(self.text, start);
        let is_line_end = matches!(self.text.get(end), None | Some(b'\n' | b'\r'));
        let is_path = end > start && (is_special || self.text.get(start) == Some(&b'/'));
        let is_empty = end == start && !allow;
        if !is_line_end || !(is_path || is_empty) || end - start > LONG || self.lists.groups.is_empty() {
            let line = self.odd_value(after_colon);
            self.rule(allow, line);
            return line.end;
        }
        let pattern = Span::new(start, end);
        let mut rule = Rule { line_no: self.line_no, pattern, allow, ..Rule::default() };
        if is_special {
            self.special_rule(&mut rule);
        }
        self.push_rule(rule, end);
        end
    }

    /// Completes a rule whose pattern may have `*`, `$` or `%`, and nothing else unusual.
    #[inline(never)]
    fn special_rule(&mut self, rule: &mut Rule) {
        let pattern = rule.pattern.slice(self.text);
        let found = scan::specials(pattern);
        if !pattern.starts_with(b"/")
            && let Some((code, span)) = self.cause_of_rule(pattern, rule.pattern, 0)
        {
            self.note(code, self.line_no, span);
        }
        rule.wildcards = found.stars;
        rule.anchored = found.has_dollar && pattern.ends_with(b"$");
        self.remark_pattern(pattern, rule.pattern, found);
        if found.has_percent || (found.has_dollar && memchr::memchr(b'$', pattern) != Some(pattern.len() - 1)) {
            rule.normal = self.normal_of(pattern);
        }
    }

    #[inline(always)]
    fn plain_agent(&mut self, after_colon: usize) -> usize {
        let start = after_colon + usize::from(self.text.get(after_colon) == Some(&b' '));
        let is_star = self.text.get(start) == Some(&b'*');
        let end = if is_star { start + 1 } else { scan::plain_end(self.text, start).0 };
        let value = self.text.get(start..end).unwrap_or_default();
        let is_line_end = matches!(self.text.get(end), None | Some(b'\n' | b'\r'));
        let classes = value.iter().fold(0, |classes, &byte| classes | class(byte));
        if !is_line_end || value.is_empty() || value.len() > LONG || !(is_star || classes == byte::TOKEN) {
            let line = self.odd_value(after_colon);
            self.agent(line);
            return line.end;
        }
        let product_len = if is_star { 0 } else { value.len() };
        self.push_agent(Span::new(start, end), Anatomy { token_len: value.len(), product_len, is_star });
        end
    }
}

const fn word(text: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*text)
}
