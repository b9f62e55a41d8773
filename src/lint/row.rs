//! A violation as a JSON object.

use super::diagnostic::{column, line_and_span};
use crate::input::RobotsInput;
use robots::{Parsed, Span, Violation};
use serde::Serialize;
use std::borrow::Cow;
use visible::{end_of_character, start_of_character};

/// The fields, in the order of the output.
#[derive(Debug, Serialize)]
pub(crate) struct ViolationObject<'r> {
    file: Cow<'r, str>,
    line: u32,
    column: usize,
    byte_offset: u32,
    byte_len: u32,
    code: &'static str,
    tier: &'static str,
    severity: &'static str,
    effect: &'static str,
    section: &'static str,
    message: &'static str,
    excerpt: Cow<'r, str>,
}

/// The maximum length of an excerpt. A line can be as long as its file.
const EXCERPT_BYTES: usize = 200;

impl<'r> ViolationObject<'r> {
    pub(crate) fn new(input: &'r RobotsInput, parsed: &'r Parsed<'_>, violation: &Violation) -> Self {
        let Violation { code, line_no, span } = *violation;
        let column = || {
            let (line, place) = line_and_span(parsed, violation);
            column(line, place.start)
        };
        ViolationObject {
            file: input.path().to_string_lossy(),
            line: line_no,
            column: if line_no == 0 { 0 } else { column() },
            byte_offset: span.start,
            byte_len: span.len,
            code: code.name(),
            tier: code.tier().name(),
            severity: code.severity().name(),
            effect: code.effect().name(),
            section: code.section(),
            message: code.text(),
            excerpt: excerpt(parsed.text(), span),
        }
    }
}

/// The text of a span, cut to `EXCERPT_BYTES` between characters. Bytes that are not UTF-8 are replaced.
fn excerpt(text: &[u8], span: Span) -> Cow<'_, str> {
    if span.len == 0 {
        return Cow::Borrowed("");
    }
    let whole = start_of_character(text, span.start as usize)..end_of_character(text, span.end());
    String::from_utf8_lossy(robots::first_bytes(text.get(whole).unwrap_or_default(), EXCERPT_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: impl AsRef<[u8]>, start: u32, len: u32, expected: &str) {
        assert_eq!(excerpt(text.as_ref(), Span { start, len }), expected, "{len} bytes from {start}");
    }

    #[test]
    fn an_excerpt_is_bounded_and_cuts_no_character() {
        check("/caf\u{e9}/x", 0, 6, "/caf\u{e9}");
        check("/caf\u{e9}/x", 4, 1, "\u{e9}");
        check("/caf\u{e9}/x", 5, 1, "\u{e9}");
        check("/caf\u{e9}/x", 4, 0, "");
        check(b"/caf\xe9", 4, 1, "\u{fffd}");
        check(b"a:\xa9*", 2, 2, "\u{fffd}*");
        check(b"\xc3\xa9\xa9*", 2, 1, "\u{fffd}");
        check(b"\xe2\x82*", 1, 1, "\u{fffd}");
        check("a".repeat(EXCERPT_BYTES - 1) + "\u{20ac}\u{20ac}", 0, 205, &"a".repeat(EXCERPT_BYTES - 1));
        check([0x80; 300], 0, 300, &"\u{fffd}".repeat(EXCERPT_BYTES));
        check("ab", 1, 9, "b");
    }
}
