//! Counts facts of a body in a slow and simple way.

use regex::bytes::Regex;
use robots::{Encoding, LineEndings};
use std::sync::LazyLock;

static EOL: LazyLock<Regex> = LazyLock::new(|| Regex::new("\r\n|\r|\n").unwrap());
static BLANK: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[ \t]*$").unwrap());
static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[ \t]*#").unwrap());
static RULE: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i-u)^[ \t]*(dis)?allow[ \t]*:").unwrap());

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Recount {
    pub(crate) has_bom: bool,
    pub(crate) encoding: Encoding,
    pub(crate) line_endings: LineEndings,
    pub(crate) lines: u32,
    pub(crate) blank_lines: u32,
    pub(crate) comment_lines: u32,
    pub(crate) longest_line_bytes: u32,
    /// The lines, from 1, whose key is certainly that of a rule.
    pub(crate) plain_rules: Vec<u32>,
}

impl Recount {
    pub(crate) fn new(body: &[u8]) -> Self {
        let utf16 = |unit: fn([u8; 2]) -> u16| {
            let units: Vec<u16> = body[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
            let odd = if body.len() % 2 == 1 { "\u{fffd}" } else { "" };
            (String::from_utf16_lossy(&units) + odd).into_bytes()
        };
        let (text, encoding) = match body {
            [0xff, 0xfe, ..] => (utf16(u16::from_le_bytes), Encoding::Utf16Le),
            [0xfe, 0xff, ..] => (utf16(u16::from_be_bytes), Encoding::Utf16Be),
            _ if body.is_ascii() => (body.to_vec(), Encoding::Ascii),
            _ if std::str::from_utf8(body).is_ok() => (body.to_vec(), Encoding::Utf8),
            _ => (body.to_vec(), Encoding::Other),
        };
        let has_utf8_bom = body.starts_with(b"\xef\xbb\xbf");
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let mut lines: Vec<&[u8]> = EOL.split(text).collect();
        // The empty text after the last line end is not a line.
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        let count = |pattern: &Regex| lines.iter().filter(|line| pattern.is_match(line)).count() as u32;
        let mut ends: Vec<&[u8]> = EOL.find_iter(text).map(|found| found.as_bytes()).collect();
        ends.sort_unstable();
        ends.dedup();
        Recount {
            has_bom: has_utf8_bom || matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be),
            encoding,
            line_endings: match ends[..] {
                [] => LineEndings::None,
                [b"\n"] => LineEndings::Lf,
                [b"\r\n"] => LineEndings::CrLf,
                [b"\r"] => LineEndings::Cr,
                _ => LineEndings::Mixed,
            },
            lines: lines.len() as u32,
            blank_lines: count(&BLANK),
            comment_lines: count(&COMMENT),
            longest_line_bytes: lines.iter().map(|line| line.len()).max().unwrap_or_default() as u32,
            plain_rules: (1..)
                .zip(&lines)
                .filter(|(_, line)| RULE.is_match(line))
                .map(|(line_no, _)| line_no)
                .collect(),
        }
    }
}
