//! The status line. RFC 9112 § 4: `status-line = HTTP-version SP status-code SP [ reason-phrase ]`.
//!
//! DIFFERENCE: these are also accepted: any version or none, in upper or lower case; `ICY`, which streaming servers
//! send; any number of blanks and tabs; no reason; and any text after the three digits that does not continue the
//! number. So 65736 and 200.5 are not cut to a status, and a 200 elsewhere in the line does not count.

use crate::answer::remark::{AnswerRemark, AnswerRemarks};
use memchr::memchr;

/// A status line.
pub(super) struct StatusLine<'a> {
    /// The status, if it is a number of three digits.
    pub(super) status: Option<u16>,
    /// The protocol and its version, if there is one.
    pub(super) version: Option<&'a [u8]>,
    /// The bytes after the line.
    pub(super) after: &'a [u8],
}

/// The status line at the start of a block; `None` if there is none.
pub(super) fn read<'a>(block: &'a [u8], remarks: &mut AnswerRemarks) -> Option<StatusLine<'a>> {
    let start = skip_empty_lines(block);
    let (protocol, after_protocol) = protocol(start)?;
    if start.len() < block.len() {
        remarks.add(AnswerRemark::HeadPreceded);
    }
    let end = memchr(b'\n', start).unwrap_or(start.len());
    let (line, after) = start.split_at_checked(end)?;
    if !after.is_empty() && !line.ends_with(b"\r") {
        remarks.add(AnswerRemark::HeadLfOnly);
    }
    remarks.add_if(memchr(0, line).is_some(), AnswerRemark::HeadNul);
    let after = after.get(1..).unwrap_or_default();
    let rest = line.get(start.len() - after_protocol.len()..).unwrap_or_default();
    let version_bytes = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    // The version follows a slash.
    let version = line.get(..line.len() - rest.len() + version_bytes).filter(|_| version_bytes > 1);
    let (number, rest) = rest.split_at_checked(version_bytes).unwrap_or_default();
    let Some((status, blanks, reason)) = status(rest) else {
        remarks.add(AnswerRemark::StatusInvalid);
        return Some(StatusLine { status: None, version, after });
    };
    // RFC 9110 § 15: "Values outside the range 100..599 are invalid."
    remarks.add_if(!(100..600).contains(&status), AnswerRemark::StatusOutOfRange);
    // RFC 9112 § 2.3: `HTTP-version = HTTP-name "/" DIGIT "." DIGIT`. Archives have HTTP/2 and HTTP/3, too.
    let is_version = matches!(number, [b'/', b'0'..=b'9', b'.', b'0'..=b'9'] | b"/2" | b"/3");
    let is_plain = protocol == b"HTTP" && is_version && blanks == b" " && matches!(reason, [] | [b' ' | b'\r', ..]);
    if !is_plain {
        remarks.add(AnswerRemark::StatusLineNonstandard);
    }
    Some(StatusLine { status: Some(status), version, after })
}

/// Whether the bytes start with a status line.
pub(super) fn is_there(block: &[u8]) -> bool {
    protocol(skip_empty_lines(block)).is_some()
}

/// Skips empty lines. RFC 9112 § 2.2 lets a server skip them before a request; archives have them before responses.
fn skip_empty_lines(mut block: &[u8]) -> &[u8] {
    while let [b'\r' | b'\n', rest @ ..] = block {
        block = rest;
    }
    block
}

/// The name of the protocol and the bytes after it, which start with a slash, a blank or a line end.
fn protocol(block: &[u8]) -> Option<(&[u8], &[u8])> {
    [b"HTTP".len(), b"ICY".len()].into_iter().find_map(|length| {
        let (name, rest) = block.split_at_checked(length)?;
        let is_known = match rest {
            [b'/', ..] => name.eq_ignore_ascii_case(b"HTTP"),
            [] | [b' ' | b'\t' | b'\r' | b'\n', ..] => {
                name.eq_ignore_ascii_case(b"HTTP") || name.eq_ignore_ascii_case(b"ICY")
            }
            _ => false,
        };
        is_known.then_some((name, rest))
    })
}

/// The number, the blanks before it, and the bytes after it.
fn status(rest: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let digits = rest.trim_ascii_start();
    let blanks = rest.get(..rest.len() - digits.len())?;
    let [a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', reason @ ..] = digits else { return None };
    if let [b'0'..=b'9', ..] | [b'.' | b',', b'0'..=b'9', ..] = reason {
        return None;
    }
    let number = [a, b, c].into_iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0'));
    Some((number, blanks, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<u16>, remarks: &[AnswerRemark]) {
        for end in ["", "\r\n", "\r\n\r\n200 200"] {
            let (mut found, block) = (AnswerRemarks::default(), format!("{line}{end}"));
            let StatusLine { status, after, .. } = read(block.as_bytes(), &mut found).expect("a status line");
            assert_eq!((status, found.iter().collect::<Vec<_>>()), (expected, remarks.to_vec()), "{block:?}");
            assert_eq!(after, end.strip_prefix("\r\n").unwrap_or_default().as_bytes());
            assert!(is_there(block.as_bytes()));
        }
    }

    #[test]
    fn plain() {
        check("HTTP/1.1 200 OK", Some(200), &[]);
        check("HTTP/1.0 404 Not Found", Some(404), &[]);
        check("HTTP/1.1 200 ", Some(200), &[]);
        check("HTTP/1.1 200", Some(200), &[]);
        check("HTTP/2 200", Some(200), &[]);
        check("HTTP/3 503 x", Some(503), &[]);
        check("HTTP/1.1 301 200 OK", Some(301), &[]);
        check("HTTP/1.1 599", Some(599), &[]);
        check("HTTP/1.1 404 caf\u{e9}", Some(404), &[]);
        check("HTTP/1.1 404 a\0", Some(404), &[AnswerRemark::HeadNul]);
    }

    #[test]
    fn out_of_range() {
        for (line, status) in [("999 Request denied", 999), ("000", 0), ("007", 7), ("099", 99), ("600 x", 600)] {
            check(&format!("HTTP/1.1 {line}"), Some(status), &[AnswerRemark::StatusOutOfRange]);
        }
    }

    #[test]
    fn tolerated() {
        for line in [
            "HTTP 404",
            "HTTP/ 404",
            "HTTP/1 404",
            "HTTP/11 404",
            "HTTP/1. 404",
            "HTTP/1.12 404",
            "HTTP/-1 404",
            "HTTP/x 404",
            "http/1.1 404 Not Found",
            "Http/1.1 404",
            "ICY 404 x",
            "icy 404",
            "HTTP/1.1  404 x",
            "HTTP/1.1\t404\tx",
            "HTTP/1.1 404\tx",
            "HTTP/1.1 \t 404",
            "HTTP/1.1 404Not",
            "HTTP/1.1 404. x",
            "HTTP/1.1 404, x",
        ] {
            check(line, Some(404), &[AnswerRemark::StatusLineNonstandard]);
        }
    }

    #[test]
    fn no_status() {
        for line in [
            "HTTP/1.1 65736 OK",
            "HTTP/1.1 2000 OK",
            "HTTP/1.1 20 OK",
            "HTTP/1.1 200.5 OK",
            "HTTP/1.1 404.7 x",
            "HTTP/1.1 200,5",
            "HTTP/1.1 -200",
            "HTTP/1.1 OK 200",
            "HTTP/1.1",
            "HTTP/1.1200",
            "HTTP/1.1 0x200",
            "HTTP",
            "ICY",
            "HTTP/",
            "HTTP/1.1 \u{662}00",
        ] {
            check(line, None, &[AnswerRemark::StatusInvalid]);
        }
    }

    #[test]
    fn no_status_line() {
        let none =
            ["", "\r\n", "H", "HTT", "HTTP1.1 200", "HTTPS 200", "ICYX 200", "ICY/1 200", " HTTP/1.1 200", "200 OK"];
        for block in none {
            let mut remarks = AnswerRemarks::default();
            assert!(read(block.as_bytes(), &mut remarks).is_none() && remarks.is_empty(), "{block:?}");
        }
    }
}
