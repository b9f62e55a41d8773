//! Header values for the tables: numbers, names, text.

use super::{Field, Head};
use crate::number;
use std::borrow::Cow;
use std::time::UNIX_EPOCH;

/// How many bytes of `Server` and of similar fields of a record are kept, since the columns are for names.
pub const NAME_BYTES: usize = 256;

/// How many bytes of a media type, charset or coding are kept. No registered one is longer.
const SHORT_NAME_BYTES: usize = 127;

/// The largest number of seconds, 68 years; larger ones become this. RFC 9111 § 1.2.2: what cannot be represented
/// counts as "2147483648 (2^31) or the greatest positive integer it can conveniently represent". Sums of it fit into
/// any column.
pub const MOST_SECONDS: i64 = 1 << 31;

impl<'a> Head<'a> {
    /// `Server` as text, at most [`NAME_BYTES`] of it; `None` if it is empty.
    #[must_use]
    pub fn server(&self) -> Option<Cow<'a, str>> {
        let server = match self.first(Field::Server)? {
            Cow::Borrowed(value) => text(start(value)),
            Cow::Owned(value) => Cow::Owned(text(start(&value)).into_owned()),
        };
        (!server.is_empty()).then_some(server)
    }

    /// The media type of `Content-Type`, in lower case, without parameters. RFC 9110 § 8.3.1.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        media_type(&self.first(Field::ContentType)?)
    }

    /// The parameter `charset` of the first media type in `Content-Type`, in lower case; the first, if there are
    /// several.
    #[must_use]
    pub fn charset(&self) -> Option<String> {
        let value = self.first(Field::ContentType)?;
        let first = pieces(&value, b',').next()?;
        let charset = pieces(first, b';').skip(1).find_map(|parameter| argument(parameter, b"charset"))?;
        short_name(&unquoted(charset))
    }

    /// `Content-Encoding` in lower case, as the server sent it: the list of all lines that are not empty. The body may
    /// have another encoding. Crawlers that store decoded bodies rename this header, and the renamed one counts if there
    /// is no other.
    #[must_use]
    pub fn content_encoding(&self) -> Option<String> {
        let fields = [Field::ContentEncoding, Field::CrawlerContentEncoding, Field::OrigContentEncoding];
        fields.into_iter().find_map(|field| {
            // RFC 9110 § 5.3: several lines are one list, "each subsequent field line value […] separated by a comma".
            let mut lines = self.all(field).filter(|line| !line.is_empty());
            let mut list = lines.next()?;
            for line in lines {
                list.to_mut().extend_from_slice(&[b", ", &*line].concat());
            }
            short_name(&list)
        })
    }

    /// `Content-Length`, if it is a number, or the same number several times. RFC 9110 § 8.6.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        let mut length = None;
        for line in self.all(Field::ContentLength) {
            for written in line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
                let number = number::content_length(written)?;
                if *length.get_or_insert(number) != number {
                    return None;
                }
            }
        }
        length
    }

    /// The directive `max-age` of `Cache-Control` in seconds; `None` if it is not a number.
    ///
    /// RFC 9111 § 4.2.1: of several "either the first occurrence should be used or the response should be considered
    /// stale". The first is used. § 5.2: "recipients ought to accept both forms", token and quoted string.
    #[must_use]
    pub fn cache_max_age_s(&self) -> Option<i64> {
        let in_value = |value: Cow<'_, [u8]>| {
            let argument = pieces(&value, b',').find_map(|directive| argument(directive, b"max-age"));
            argument.map(seconds)
        };
        self.all(Field::CacheControl).find_map(in_value)?
    }

    /// `Retry-After` in seconds. RFC 9110 § 10.2.3: `Retry-After = HTTP-date / delay-seconds`.
    ///
    /// A date is counted from `fetch_time_ms`, when the response was fetched, in milliseconds since 1970. An earlier
    /// date is 0 seconds. Without a fetch time, a date is `None`, and so is one before 1970.
    #[must_use]
    pub fn retry_after_s(&self, fetch_time_ms: Option<i64>) -> Option<i64> {
        let value = self.first(Field::RetryAfter)?;
        if let Some(seconds) = seconds(&value) {
            return Some(seconds);
        }
        let date = httpdate::parse_http_date(std::str::from_utf8(&value).ok()?).ok()?;
        let date_s = i64::try_from(date.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()?;
        let fetch_s = fetch_time_ms?.div_euclid(1_000);
        Some(date_s.saturating_sub(fetch_s).clamp(0, MOST_SECONDS))
    }
}

/// The media type of the value of a `Content-Type`, in lower case, without parameters. RFC 9110 § 8.3.1.
#[must_use]
pub fn media_type(value: &[u8]) -> Option<String> {
    short_name(value.split(|byte| matches!(byte, b';' | b',')).next()?)
}

/// A value as a name in lower case, without white space and quotes around it. `None` if it is empty or has bytes other
/// than printable ASCII.
fn short_name(value: &[u8]) -> Option<String> {
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"\"").map_or(value, |value| value.strip_suffix(b"\"").unwrap_or(value));
    let value = value.trim_ascii();
    let name = str::from_utf8(value.get(..SHORT_NAME_BYTES).unwrap_or(value)).ok()?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    is_name.then(|| name.to_ascii_lowercase())
}

/// The first [`NAME_BYTES`] of a value. A character that is cut is left out.
pub(crate) fn start(value: &[u8]) -> &[u8] {
    robots::first_bytes(value, NAME_BYTES)
}

/// The text of a value: UTF-8, and otherwise Latin-1. RFC 9110 § 5.5: "Historically, HTTP allowed field content with
/// text in the ISO-8859-1 charset".
#[must_use]
pub fn text(value: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(value.iter().map(|byte| *byte as char).collect()),
    }
}

/// The trimmed pieces of a list. Separators in quoted strings do not count. RFC 9110 § 5.6.
fn pieces(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let cuts = move |byte: &u8| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'\\' if is_quoted && !was_escaped => is_escaped = true,
            b'"' if !was_escaped => is_quoted = !is_quoted,
            _ => return *byte == separator && !is_quoted,
        }
        false
    };
    value.split(cuts).map(<[u8]>::trim_ascii)
}

/// The text after `name =`, if a piece starts with that.
fn argument<'v>(piece: &'v [u8], name: &[u8]) -> Option<&'v [u8]> {
    let (key, argument) = piece.split_at_checked(memchr::memchr(b'=', piece)?)?;
    key.trim_ascii().eq_ignore_ascii_case(name).then(|| argument.get(1..).unwrap_or_default().trim_ascii())
}

/// A value without its quotation marks, if it has them. RFC 9110 § 5.6.4: recipients "MUST handle a quoted-pair as if it
/// were replaced by the octet following the backslash".
fn unquoted(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(quoted) = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")) else {
        return value.into();
    };
    if memchr::memchr(b'\\', quoted).is_none() {
        return quoted.into();
    }
    let mut octets = quoted.iter();
    let unescape =
        || octets.next().and_then(|octet| if *octet == b'\\' { octets.next() } else { Some(octet) }).copied();
    std::iter::from_fn(unescape).collect()
}

/// A number of seconds, quoted or not. Some servers put a semicolon after it; the rest is ignored.
fn seconds(value: &[u8]) -> Option<i64> {
    let value = value.split(|byte| *byte == b';').next()?.trim_ascii();
    let value = value.strip_prefix(b"\"").map_or(Some(value), |value| value.strip_suffix(b"\""))?.trim_ascii();
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: i64, digit: &u8| (sum * 10 + i64::from(digit - b'0')).min(MOST_SECONDS);
    Some(value.iter().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(lines: &str, read: impl FnOnce(&Head<'_>) -> T) -> T {
        let block = format!("HTTP/1.1 200 OK\r\n{lines}\r\n\r\n");
        read(&Head::read(block.as_bytes()).0)
    }

    #[test]
    fn max_age() {
        let check = |line: &str, expected| assert_eq!(with(line, |head| head.cache_max_age_s()), expected, "{line}");
        check("Cache-Control: max-age=60", Some(60));
        check("Cache-Control: public, MAX-AGE=60", Some(60));
        check("Cache-Control: max-age=\"60\"", Some(60));
        check("Cache-Control: max-age = 60 ", Some(60));
        check("Cache-Control: max-age=60;private", Some(60));
        check("Cache-Control: private=\"a, max-age=5\", max-age=60", Some(60));
        check("Cache-Control: max-age=60, max-age=70", Some(60));
        check("Cache-Control: no-cache\r\nCache-Control: max-age=60", Some(60));
        check("Cache-Control: max-age=x\r\nCache-Control: max-age=60", None);
        check("Cache-Control: s-maxage=60", None);
        check("Cache-Control: max-age=-1", None);
        check("Cache-Control: max-age=1.5", None);
        check("Cache-Control: max-age=", None);
        check("Cache-Control: max-age", None);
        check("Cache-Control: max-age=\"60", None);
        check("Cache-Control: max-age=0000060", Some(60));
        check("Cache-Control: max-age=31536000000", Some(MOST_SECONDS));
        check("Cache-Control: max-age=99999999999999999999999999", Some(MOST_SECONDS));
        check("Expires: 0", None);
    }

    #[test]
    fn retry_after() {
        const FETCHED: Option<i64> = Some(1_534_248_000_999); // 2018-08-14T12:00:00.999Z
        let check = |value: &str, fetched, expected| {
            assert_eq!(with(&format!("Retry-After: {value}"), |head| head.retry_after_s(fetched)), expected, "{value}");
        };
        check("120", None, Some(120));
        check("Tue, 14 Aug 2018 12:02:00 GMT", FETCHED, Some(120));
        check("Tuesday, 14-Aug-18 12:02:00 GMT", FETCHED, Some(120));
        check("Tue Aug 14 12:02:00 2018", FETCHED, Some(120));
        check("Tue, 14 Aug 2018 11:00:00 GMT", FETCHED, Some(0));
        check("Thu, 01 Jan 1970 00:00:00 GMT", FETCHED, Some(0));
        check("Wed, 31 Dec 1969 23:59:59 GMT", FETCHED, None);
        check("Fri, 31 Dec 9999 23:59:59 GMT", FETCHED, Some(MOST_SECONDS));
        check("Tue, 14 Aug 2018 12:02:00 GMT", None, None);
        check("Tue, 14 Aug 2018 12:02:00 GMT", Some(i64::MIN), Some(MOST_SECONDS));
        check("Tue, 14 Aug 2018 12:02:00 GMT", Some(i64::MAX), Some(0));
        check("99999999999999999999", None, Some(MOST_SECONDS));
        check("-5", FETCHED, None);
        check("soon", FETCHED, None);
        check("\u{e9}", FETCHED, None);
        check("", FETCHED, None);
    }

    #[test]
    fn content_type() {
        let check = |value: &str, media_type: Option<&str>, charset: Option<&str>| {
            with(&format!("Content-Type: {value}"), |head| {
                assert_eq!(head.media_type().as_deref(), media_type, "{value}");
                assert_eq!(head.charset().as_deref(), charset, "{value}");
            });
        };
        check("text/plain", Some("text/plain"), None);
        check("Text/Plain; charset=UTF-8", Some("text/plain"), Some("utf-8"));
        check("text/plain ;charset=\"utf-8\"", Some("text/plain"), Some("utf-8"));
        check("text/plain;charset = iso-8859-1 ; x=y", Some("text/plain"), Some("iso-8859-1"));
        check("text/plain; x=\"a;charset=b\\\"\"; Charset=c; charset=d", Some("text/plain"), Some("c"));
        check("text/plain; charset=", Some("text/plain"), None);
        check("text/plain; charset", Some("text/plain"), None);
        check("text/plain, text/html", Some("text/plain"), None);
        check("text/plain; charset=utf-8, text/plain", Some("text/plain"), Some("utf-8"));
        check("text/plain, text/html; charset=latin1", Some("text/plain"), None);
        check("text/plain; charset=\"a\\\"b\\\\\"", Some("text/plain"), Some("a\"b\\"));
        check("text/plain; x=\"a, b\"; charset=c", Some("text/plain"), Some("c"));
        check("text", Some("text"), None);
        check("charset=utf-8", Some("charset=utf-8"), None);
        check("; charset=utf-8", None, Some("utf-8"));
        check("", None, None);
        check("text/\u{e9}", None, None);
        check(&"x".repeat(1_000), Some(&"x".repeat(SHORT_NAME_BYTES)), None);
    }

    #[test]
    fn content_length() {
        let check = |value: &str, expected| {
            assert_eq!(with(&format!("Content-Length: {value}"), |head| head.content_length()), expected, "{value}");
        };
        check("0", Some(0));
        check(" 42 ", Some(42));
        check("42, 42", Some(42));
        check("42, 43", None);
        check("-1", None);
        check("+1", None);
        check("", None);
        check("18446744073709551616", None);
        check("999999999999999999", Some(999_999_999_999_999_999));
        check("42\r\nContent-Length: 42", Some(42));
        check("42\r\nContent-Length: 43", None);
    }

    #[test]
    fn text_of_any_bytes() {
        let check = |value: &[u8], expected: &str| assert_eq!(text(value), expected);
        check(b"", "");
        check("caf\u{e9}".as_bytes(), "caf\u{e9}");
        check(b"caf\xe9 x", "caf\u{e9} x");
        check(b"caf\xe9", "caf\u{e9}");
        check(b"\xc3", "\u{c3}");
        for start in ["", "a"] {
            let long = format!("Server: {start}{}", "\u{e9}".repeat(1_000));
            let server_bytes = with(&long, |head| head.server().map(|server| server.len()));
            assert_eq!(server_bytes, Some(NAME_BYTES - start.len()));
        }
        assert!(with("Server: ", |head| head.server().is_none()));
        assert_eq!(with("Server: caf\u{e9}\r\n x", |head| head.server().unwrap().into_owned()), "caf\u{e9} x");
    }

    #[test]
    fn content_encoding() {
        let check = |lines: &str, expected: Option<&str>| {
            with(lines, |head| {
                assert_eq!(head.content_encoding().as_deref(), expected, "{lines}");
            });
        };
        check("Content-Encoding: GZIP, br", Some("gzip, br"));
        check("Content-Encoding: gzip\r\nX: y\r\nContent-Encoding: deflate", Some("gzip, deflate"));
        check("Content-Encoding:\r\nContent-Encoding: gzip\r\nContent-Encoding: ", Some("gzip"));
        check("Content-Encoding:", None);
        check("X-Crawler-content-encoding: gzip", Some("gzip"));
        check("x-orig-content-encoding: br", Some("br"));
        check("x-orig-content-encoding: gzip\r\ncontent-encoding: identity", Some("identity"));
        check("X-Crawler-Content-Encoding: gzip\r\nContent-Encoding: br", Some("br"));
        check("X-Crawler-Content-Encoding: gzip\r\nContent-Encoding:", Some("gzip"));
        check("Server: a", None);
    }
}
