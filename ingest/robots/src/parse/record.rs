//! Other records, RFC 9309 § 2.2.4: "Crawlers MAY interpret other records that are not part of the robots.txt
//! protocol".

use super::Reader;
use super::content::{Directive, LineContent};
use crate::extension::Extension;
use crate::limits;
use crate::parsed::OtherRecord;
use crate::span::Span;
use crate::violation::Code;

impl Reader<'_, '_> {
    pub(super) fn record(&mut self, extension: Extension, key: Span, line: Directive) {
        let content = line.content(self.text);
        let LineContent { value, span, .. } = content;
        let key_cause = line.key_cause.or(Some((extension.code(), key)));
        self.close_directive(Directive { key_cause, ..line }, None, &content);
        match extension {
            Extension::Sitemap => self.remark_sitemap(value, span),
            Extension::CrawlDelay => self.remark_crawl_delay(value, span),
            _ => {}
        }
        let group = self.lists.groups.len().checked_sub(1).map(|group| group as u32);
        self.head_is_split |= self.head_is_open;
        let key = Span { len: key.len.min(limits::VALUE_BYTES as u32), ..key };
        let (_, value) = content.first_bytes(limits::VALUE_BYTES);
        self.lists.records.push(OtherRecord { line_no: self.line_no, group, extension, key, value });
    }

    fn remark_sitemap(&mut self, value: &[u8], span: Span) {
        if value.is_empty() {
            self.note(Code::SitemapEmpty, self.line_no, span);
        } else if !is_web_url(value) && !begins_with(value, b"ftp://") {
            self.note(Code::SitemapNotAbsolute, self.line_no, span);
        }
        if memchr::memchr2(b' ', b'\t', value).is_some() {
            self.note(Code::SitemapSpace, self.line_no, span);
        }
    }

    fn remark_crawl_delay(&mut self, value: &[u8], span: Span) {
        match seconds(value) {
            None => self.note(Code::CrawlDelayInvalid, self.line_no, span),
            Some(delay_s) if delay_s > limits::CRAWL_DELAY_S => {
                self.note(Code::CrawlDelayHuge, self.line_no, span);
            }
            Some(_) => {}
        }
        if self.lists.groups.is_empty() {
            self.note(Code::CrawlDelayBeforeGroup, self.line_no, span);
        }
    }
}

/// A crawl delay, at most [`limits::MOST_CRAWL_DELAY_S`]: digits, and optionally a dot and digits. No standard defines
/// it, but all known readers accept this form.
#[must_use]
pub(crate) fn seconds(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    text.parse().ok().map(|delay_s: f64| delay_s.min(limits::MOST_CRAWL_DELAY_S))
}

/// Whether a value starts with `http://` or `https://`.
pub(super) fn is_web_url(value: &[u8]) -> bool {
    begins_with(value, b"http://") || begins_with(value, b"https://")
}

fn begins_with(value: &[u8], scheme: &[u8]) -> bool {
    value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawl_delays() {
        let check = |value: &str, expected| assert_eq!(seconds(value.as_bytes()), expected, "{value:?}");
        check("5", Some(5.0));
        check("0.5", Some(0.5));
        check("10.0", Some(10.0));
        check(&"9".repeat(400), Some(limits::MOST_CRAWL_DELAY_S));
        for value in ["", ".5", "5.", "-1", "5s", "1e3", "inf", "NaN", "1,5"] {
            check(value, None);
        }
    }
}
