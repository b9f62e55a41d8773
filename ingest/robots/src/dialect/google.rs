//! How Google's open-source parser reads a file, where it differs from RFC 9309.
//!
//! Written from the behaviour of <https://github.com/google/robotstxt>. Each function describes one difference.

use crate::byte::{TOKEN, class, is_blank, strip};
use crate::limits::LINE_BYTES_GOOGLE;
use crate::line::LineSpans;
use crate::lists::Lists;
use crate::parsed::{Agent, Rule};
use crate::pattern::normal::{encoded, push_encoded};
use crate::span::Span;

enum GoogleKey {
    UserAgent,
    Allow,
    Disallow,
}

/// Reads a body as that parser does.
pub(crate) fn read(body: &[u8]) -> Lists {
    let mut lists = Lists::default();
    let start = partial_bom(body);
    let rest = body.get(start..).unwrap_or_default();
    let mut head_is_open = false;
    for (line, line_no) in LineSpans::new(rest).zip(1u32..) {
        let Some((key, value)) = key_and_value(body, line.start + start, line.end + start) else { continue };
        match key {
            GoogleKey::UserAgent => {
                lists.push_agent(agent(line_no, value, value.slice(body)), !head_is_open);
                head_is_open = true;
            }
            GoogleKey::Allow | GoogleKey::Disallow => {
                // No crawler obeys a rule before the first user-agent line.
                if lists.groups.is_empty() {
                    continue;
                }
                let allow = matches!(key, GoogleKey::Allow);
                let start = lists.normals.len();
                escape(value.slice(body), &mut lists.normals);
                let normal = Span::new(start, lists.normals.len());
                lists.push_rule(rule(line_no, allow, value, value.slice(body), normal));
                head_is_open = false;
            }
        }
    }
    lists
}

/// How many bytes of a byte order mark the body starts with. Google's parser skips an incomplete mark, too.
fn partial_bom(body: &[u8]) -> usize {
    body.iter().zip([0xef, 0xbb, 0xbf]).take_while(|(byte, mark)| **byte == *mark).count()
}

/// The key and the value of a line, if it has one of three keys: other records do not even end a group. The line is cut after 16,663 bytes, at a NUL and at the first `#`. The separator is
/// a colon or, in a line without a colon, white space between exactly two words.
fn key_and_value(body: &[u8], start: usize, end: usize) -> Option<(GoogleKey, Span)> {
    let line = body.get(start..end.min(start + LINE_BYTES_GOOGLE))?;
    let line = line.get(..memchr::memchr2(0, b'#', line).unwrap_or(line.len()))?;
    let (blanks, line) = strip(line, is_space);
    let start = start + blanks;
    let is_white = |byte: &u8| is_blank(*byte);
    let separator = match memchr::memchr(b':', line) {
        Some(colon) => colon,
        None => {
            let white = line.iter().position(is_white)?;
            let value = line.get(white..)?;
            let word = value.iter().position(|byte| !is_white(byte))?;
            if value.get(word..)?.iter().any(is_white) {
                return None;
            }
            white
        }
    };
    let (_, key) = strip(line.get(..separator)?, is_space);
    let (blanks, value) = strip(line.get(separator + 1..)?, is_space);
    let value_at = start + separator + 1 + blanks;
    Some((key_of(key)?, Span::new(value_at, value_at + value.len())))
}

/// ASCII white space, including VT.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// A key is recognised by its start, so `disallowed` is a disallow. Misspellings are accepted: two of user-agent, five
/// of disallow.
fn key_of(key: &[u8]) -> Option<GoogleKey> {
    const USER_AGENT: [&str; 3] = ["user-agent", "useragent", "user agent"];
    const DISALLOW: [&str; 6] = ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
    let begins = |word: &&str| key.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    match () {
        () if USER_AGENT.iter().any(begins) => Some(GoogleKey::UserAgent),
        () if begins(&"allow") => Some(GoogleKey::Allow),
        () if DISALLOW.iter().any(begins) => Some(GoogleKey::Disallow),
        () => None,
    }
}

/// `*` starts a wildcard group even if white space and more text follow. Otherwise the name is the letters, hyphens and
/// underscores at the start of the value.
fn agent(line_no: u32, span: Span, value: &[u8]) -> Agent {
    let is_star = match value {
        [b'*'] => true,
        [b'*', next, ..] => is_space(*next),
        _ => false,
    };
    let product_len = value.iter().take_while(|&&byte| class(byte) == TOKEN).count() as u32;
    Agent { line_no, value: span, product_len, is_star, ..Agent::default() }
}

fn rule(line_no: u32, allow: bool, span: Span, value: &[u8], normal: Span) -> Rule {
    Rule {
        line_no,
        pattern: span,
        normal: Some(normal),
        wildcards: memchr::memchr_iter(b'*', value).count() as u32,
        allow,
        anchored: value.ends_with(b"$"),
        beyond_500_kib: span.end() > crate::limits::FIVE_HUNDRED_KIB,
        ..Rule::default()
    }
}

/// Appends a pattern with octets above 0x7F percent-encoded and hexadecimal digits in upper case. Nothing is decoded.
fn escape(pattern: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        let octet = encoded(pattern, at);
        match octet {
            None if byte < 0x80 => out.push(byte),
            octet => push_encoded(octet.unwrap_or(byte), out),
        }
        at += if octet.is_some() { 3 } else { 1 };
    }
}

/// The path of a URL as written: from the first of `/ ? ;` after the authority up to the fragment.
pub(crate) fn path(url: &[u8]) -> Vec<u8> {
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let find_path = |from: usize| {
        let rest = url.get(from..)?;
        Some(from + rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b';'))?)
    };
    let scheme = url.get(start..).and_then(|rest| memchr::memmem::find(rest, b"://")).map(|at| at + start);
    let authority = match scheme {
        Some(scheme) if find_path(start).is_none_or(|path| path >= scheme) => scheme + 3,
        _ => start,
    };
    let Some(path_at) = find_path(authority) else { return b"/".to_vec() };
    let end = url.get(start..).and_then(|rest| memchr::memchr(b'#', rest)).map_or(url.len(), |at| at + start);
    // A fragment that starts before the path leaves no path. Rules are compared with a C string, which ends at a NUL.
    let found = url.get(path_at..end).unwrap_or_default();
    let found = found.get(..memchr::memchr(0, found).unwrap_or(found.len())).unwrap_or_default();
    let slash: &[u8] = if found.starts_with(b"/") { b"" } else { b"/" };
    [slash, found].concat()
}

/// An allow line for `/x/index.html` also allows `/x/`. Returns the pattern to try if the line's own does not match.
pub(crate) fn directory_of_index(pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern.get(slash..)?.starts_with(b"/index.htm").then_some(())?;
    Some([pattern.get(..=slash)?, b"$"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_urls() {
        let check = |url: &str, expected: &str| {
            assert_eq!(String::from_utf8(path(url.as_bytes())).unwrap(), expected, "{url:?}");
        };
        check("", "/");
        check("http://www.example.com", "/");
        check("http://a/b\0c", "/b");
        check("http://a/b\0c#d", "/b");
        check("http://www.example.com/", "/");
        check("http://www.example.com/a/b?c=d;e#f", "/a/b?c=d;e");
        check("http://www.example.com?a", "/?a");
        check("http://www.example.com/a?http://b/c", "/a?http://b/c");
        check("//a/b/c", "/b/c");
        check("example.com/a", "/a");
        check("example.com#/a", "/");
        check("/a/b", "/a/b");
    }
}
