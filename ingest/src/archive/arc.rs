//! The first line of an ARC record. ARC is the format before WARC.
//!
//! Version 1: `URL IP-address Archive-date Content-type Archive-length`, with one blank between fields. Version 2 has
//! five more fields between type and length. The first record of a file has a URL that starts with `filedesc://`, and
//! names the version. Here the position of the date decides instead.
//!
//! DIFFERENCE: a URL may contain blanks, since some crawlers wrote them. So the fields are counted from the end of the
//! line.

use super::record_type::RecordType;

/// The longest line that is read. Crawlers cut URLs at 2 KiB.
pub(super) const MOST_LINE_BYTES: usize = 8 << 10;

/// The start of an ARC file.
pub(super) const FIRST_URL: &[u8] = b"filedesc:";

/// The fields of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'b> {
    pub(super) url: &'b [u8],
    pub(super) ip_address: &'b [u8],
    pub(super) date: &'b [u8],
    pub(super) content_type: &'b [u8],
    pub(super) length: &'b [u8],
    /// Where the block starts.
    pub(super) end: usize,
}

impl<'b> Line<'b> {
    /// The line at the start of the bytes, if it is the first line of a record.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        const FIELDS_AFTER_DATE: [usize; 2] = [2, 7];
        if !bytes.first()?.is_ascii_alphabetic() {
            return None;
        }
        let bytes = bytes.get(..MOST_LINE_BYTES).unwrap_or(bytes);
        let end = memchr::memchr(b'\n', bytes)? + 1;
        let line = bytes.get(..end)?.trim_ascii_end();
        FIELDS_AFTER_DATE.iter().find_map(|after| {
            let mut fields = line.rsplitn(after + 3, |byte| *byte == b' ');
            let length = fields.next()?;
            let mut content_type = length;
            for _ in 1..*after {
                content_type = fields.next()?;
            }
            let (date, ip_address, url) = (fields.next()?, fields.next()?, fields.next()?);
            let is_digits = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
            let is_line = date.len() == 14 && is_digits(date) && is_digits(length) && has_whole_scheme(url);
            is_line.then_some(Line { url, ip_address, date, content_type, length, end })
        })
    }

    /// The type that the record would have in WARC.
    pub(super) fn record_type(&self) -> RecordType {
        if self.url.starts_with(FIRST_URL) { RecordType::Warcinfo } else { RecordType::Response }
    }
}

/// Whether a URL starts with a scheme, and not within one: after a wrong length, or where a member starts, `ttp://` is
/// the rest of a URL.
fn has_whole_scheme(url: &[u8]) -> bool {
    let usual: [&[u8]; 5] = [FIRST_URL, b"http:", b"https:", b"ftp:", b"dns:"];
    let mut rests = usual.iter().flat_map(|scheme| (1..scheme.len() - 1).filter_map(|from| scheme.get(from..)));
    url.contains(&b':') && !rests.any(|rest| url.starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<[String; 5]> {
        let line = Line::read(line.as_bytes())?;
        Some(
            [line.url, line.ip_address, line.date, line.content_type, line.length]
                .map(|field| String::from_utf8_lossy(field).into_owned()),
        )
    }

    #[test]
    fn lines() {
        let expected = ["http://a.example/robots.txt", "192.0.2.1", "20080430204825", "text/plain", "123"];
        let [url, ip, date, kind, length] = expected;
        let version_1 = format!("{url} {ip} {date} {kind} {length}");
        let version_2 = format!("{url} {ip} {date} {kind} 200 - - 0 IA-1.arc {length}");
        for line in [&version_1, &version_2] {
            for end in ["\n", "\r\n", "\nHTTP/1.1 200 OK\r\n"] {
                assert_eq!(read(&format!("{line}{end}")).unwrap(), expected, "{line}");
            }
            assert_eq!(read(line), None, "no end");
        }
        assert_eq!(read(&format!("{url}?a b c {ip} {date} {kind} {length}\n")).unwrap()[0], format!("{url}?a b c"));
        for line in [
            format!("{url} {ip} 2008 {kind} {length}\n"),
            format!("{url} {ip} {date} {kind} -1\n"),
            format!("/robots.txt {ip} {date} {kind} {length}\n"),
            format!("{ip} {date} {kind} {length}\n"),
            "HTTP/1.1 200 OK\r\n".to_owned(),
            format!("{url}{} {ip} {date} {kind} {length}\n", "a".repeat(MOST_LINE_BYTES)),
        ] {
            assert_eq!(read(&line), None, "{line}");
        }
    }
}
