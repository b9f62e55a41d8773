//! The first line of an ARC record. ARC is the format before WARC.
//!
//! Version 1: `URL IP-address Archive-date Content-type Archive-length`, with one blank between fields. Version 2 has
//! five more fields between type and length. The first record of a file has a URL that starts with `filedesc://`, and
//! names the version.
//!
//! DIFFERENCE: some crawlers wrote blanks in the URL and the type, and dates of other lengths than 14 digits. So the
//! address and the date are searched from the end of the line, and the version is not needed.

use super::record_type::RecordType;
use std::net::IpAddr;

/// The longest line that is read. Crawlers cut URLs at 2 KiB.
pub(super) const MOST_LINE_BYTES: usize = 8 << 10;

/// The start of an ARC file.
pub(super) const FIRST_URL: &[u8] = b"filedesc:";

/// How the URLs of nearly all records start.
const USUAL_SCHEMES: [&[u8]; 5] = [FIRST_URL, b"http:", b"https:", b"ftp:", b"dns:"];

/// The fields of a line that are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'b> {
    pub(super) url: &'b [u8],
    pub(super) ip_address: &'b [u8],
    pub(super) date: &'b [u8],
    pub(super) length: &'b [u8],
    /// Where the block starts.
    pub(super) end: usize,
}

impl<'b> Line<'b> {
    /// The line at the start of the bytes, if it is the first line of a record.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        Line::of_one_or_two(bytes).filter(|line| !is_of_two(line.url))
    }

    /// The same if the first line of a record that breaks off may be a part of its URL.
    ///
    /// After damage, a line of a body must not count as one. So its date has 14 digits, or its scheme is a usual one and
    /// a valid address stands before the date.
    pub(super) fn of_one_or_two(bytes: &'b [u8]) -> Option<Self> {
        if !bytes.first()?.is_ascii_alphabetic() {
            return None;
        }
        let bytes = bytes.get(..MOST_LINE_BYTES).unwrap_or(bytes);
        let end = memchr::memchr(b'\n', bytes)? + 1;
        let line = bytes.get(..end)?.trim_ascii_end();
        let (before_length, length) = split_at_last_blank(line)?;
        if !is_digits(length) || !has_whole_scheme(line) {
            return None;
        }
        let colon = memchr::memchr(b':', line)?;
        let is_usual = has_usual_scheme(line);
        let (mut rest, _) = split_at_last_blank(before_length)?;
        loop {
            let (before_date, date) = split_at_last_blank(rest)?;
            let (url, ip_address) = split_at_last_blank(before_date)?;
            let is_usual_date = date.len() == 14 && is_digits(date);
            let is_other_date = || is_usual && date.iter().any(u8::is_ascii_digit) && is_address(ip_address);
            if colon < url.len() && (is_usual_date || is_other_date()) {
                return Some(Line { url, ip_address, date, length, end });
            }
            rest = before_date;
        }
    }

    /// The type that the record would have in WARC.
    pub(super) fn record_type(&self) -> RecordType {
        if self.url.starts_with(FIRST_URL) { RecordType::Warcinfo } else { RecordType::Response }
    }
}

/// Where a record starts in a line, after damage: at its start, or at the last scheme in it, if another record breaks off
/// there. Text with a colon seems to be a scheme, so the last usual one counts before the start.
pub(super) fn start_in(line: &[u8]) -> Option<usize> {
    let starts = [Some(0).filter(|_| has_usual_scheme(line)), last_scheme(line), Some(0)];
    starts.into_iter().flatten().find(|at| line.get(*at..).is_some_and(|bytes| Line::read(bytes).is_some()))
}

/// Whether a URL seems to be that of a record whose line breaks off in a later field, and that of the next record: a
/// URL without blanks, an address, and perhaps more fields. After a blank, nothing shows where one breaks off.
fn is_of_two(url: &[u8]) -> bool {
    let before = last_scheme(url).and_then(|at| url.get(..at)).unwrap_or_default();
    let mut fields = before.split(|byte| *byte == b' ').skip(1);
    match (fields.next(), fields.next()) {
        (Some(address), Some(date)) => is_address(address) && is_digits(date) && !before.ends_with(b" "),
        // It breaks off in the address.
        (Some(part), None) => !part.is_empty() && part.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.')),
        (None, _) => false,
    }
}

fn has_usual_scheme(line: &[u8]) -> bool {
    USUAL_SCHEMES.iter().any(|scheme| line.starts_with(scheme))
}

fn last_scheme(text: &[u8]) -> Option<usize> {
    USUAL_SCHEMES.iter().filter_map(|scheme| memchr::memmem::rfind(text, scheme)).max()
}

fn split_at_last_blank(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (before, after) = bytes.split_at(memchr::memrchr(b' ', bytes)?);
    Some((before, after.get(1..)?))
}

fn is_digits(field: &[u8]) -> bool {
    !field.is_empty() && field.iter().all(u8::is_ascii_digit)
}

/// What crawlers in Python wrote for an unknown address.
pub(super) const NO_ADDRESS: &[u8] = b"None";

/// Whether a field is an IP address, or stands for an unknown one.
fn is_address(field: &[u8]) -> bool {
    field == NO_ADDRESS || std::str::from_utf8(field).is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

/// Whether a line does not start within a scheme: after a wrong length, or where a member starts, `ttp://` is the rest
/// of a URL.
fn has_whole_scheme(line: &[u8]) -> bool {
    let mut rests = USUAL_SCHEMES.iter().flat_map(|scheme| (1..scheme.len() - 1).filter_map(|from| scheme.get(from..)));
    !rests.any(|rest| line.starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<[String; 4]> {
        let line = Line::read(line.as_bytes())?;
        let fields = [line.url, line.ip_address, line.date, line.length];
        Some(fields.map(|field| String::from_utf8_lossy(field).into_owned()))
    }

    #[test]
    fn lines() {
        let expected = ["http://a.example/robots.txt", "192.0.2.1", "20080430204825", "123"];
        let [url, ip, date, length] = expected;
        let version_1 = format!("{url} {ip} {date} text/plain {length}");
        let version_2 = format!("{url} {ip} {date} text/plain 200 - - 0 IA-1.arc {length}");
        for line in [&version_1, &version_2] {
            for end in ["\n", "\r\n", "\nHTTP/1.1 200 OK\r\n"] {
                assert_eq!(read(&format!("{line}{end}")).unwrap(), expected, "{line}");
            }
            assert_eq!(read(line), None, "no end");
        }
        for types in ["", "text/html; Charset=iso-8859-1", "text/html, application/x-javascript", "a 10.0 b 5 c"] {
            assert_eq!(read(&format!("{url} {ip} {date} {types} {length}\n")).unwrap(), expected, "{types}");
        }
        let urls = [
            format!("{url}?a b c"),
            format!("{url} 198.51.100.7 20010203 {url}"),
            format!("{url}?page 2 of={url}"),
            format!("{url} top 10 list?ref={url}"),
            format!("{url} 2?d=dns:b.example"),
            format!("{url} 198.51.100.7 of={url}"),
            "rtsp://a.example".to_owned(),
        ];
        for url in &urls {
            assert_eq!(read(&format!("{url} {ip} {date} text/plain {length}\n")).unwrap()[0], *url);
        }
        for line in [
            format!("{url} {ip} {date} text/plain -1\n"),
            format!("{url} {ip} {date} {length}\n"),
            format!("{url} {ip} today text/plain {length}\n"),
            format!("{url} {date} {ip} text/plain {length}\n"),
            format!("/robots.txt {ip} {date} text/plain {length}\n"),
            format!("{ip} {date} text/plain {length}\n"),
            "HTTP/1.1 200 OK\r\n".to_owned(),
            format!("{url}{} {ip} {date} text/plain {length}\n", "a".repeat(MOST_LINE_BYTES)),
        ] {
            assert_eq!(read(&line), None, "{line}");
        }
    }

    #[test]
    fn odd_dates_need_a_usual_scheme_and_an_address() {
        let length = "123";
        for date in ["20010203", "2016020900", "200011101120", "201018122054100", "20160211000000jpg", "a0d1fdddf3165d"]
        {
            for (url, ip, is_line) in [
                ("http://a.example/ b", "192.0.2.1", true),
                ("filedesc://a.arc", "0.0.0.0", true),
                ("dns:a.example", "2001:db8::1", true),
                ("http://a.example/", "None", true),
                ("http://a.example/", "192.0.2", false),
                ("Updated: see", "192.0.2.1", false),
                ("ttp://a.example/", "192.0.2.1", false),
            ] {
                let expected = is_line.then(|| [url, ip, date, length].map(str::to_owned));
                assert_eq!(read(&format!("{url} {ip} {date} text/html; charset=utf-8 {length}\n")), expected);
            }
        }
    }
}
