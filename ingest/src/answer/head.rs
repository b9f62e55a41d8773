//! The head of an HTTP response: its status and the headers that matter. It is read in one pass, over borrowed bytes.
//!
//! RFC 9112 is the standard, but archives depart from it: any version or none, any number of blanks and tabs, no
//! reason, lines that end in LF, any bytes in values. Every head can be read: a departure is an [`AnswerRemark`], and a
//! block without a status line is entirely body.

mod field;
mod headers;
mod status;
mod value;

use super::remark::{AnswerRemark, AnswerRemarks};
use crate::fold::unfolded;
pub use field::Field;
pub use headers::Headers;
use status::StatusLine;
use std::borrow::Cow;
pub(crate) use value::start;
pub use value::{MOST_SECONDS, NAME_BYTES, media_type, text};

/// The head of an HTTP response.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// The status; `None` if there is no status line, or it has no status of three digits.
    pub status: Option<u16>,
    /// The protocol and its version in the status line as written, such as `HTTP/1.1`; at most [`VERSION_BYTES`] of it.
    /// `None` if the line has no version.
    pub http_version: Option<&'a [u8]>,
    /// Remarks on the head.
    pub remarks: AnswerRemarks,
    /// The lines after the status line.
    lines: &'a [u8],
    first: [Option<&'a [u8]>; Field::COUNT],
    repeated: u16,
}

/// How many bytes of a version are kept.
pub const VERSION_BYTES: usize = 16;

const _: () = assert!(Field::COUNT <= u16::BITS as usize, "what is repeated is 16 bits");

impl<'a> Head<'a> {
    /// Reads the head at the start of a block. Returns it, and the bytes after it.
    #[must_use]
    pub fn read(block: &'a [u8]) -> (Head<'a>, &'a [u8]) {
        let mut remarks = AnswerRemarks::default();
        let mut rest = block;
        loop {
            let Some(StatusLine { status, version, after }) = status::read(rest, &mut remarks) else {
                remarks.add(AnswerRemark::StatusLineMissing);
                return (Head::new(None, None, remarks), rest);
            };
            let mut head = Head::new(status, version, remarks);
            let after = head.read_headers(after);
            // RFC 9110 § 15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final
            // response". If none follows, the 1xx response is the response itself.
            if matches!(status, Some(100..=199)) && status::is_there(after) {
                remarks = head.remarks;
                remarks.add(AnswerRemark::InterimSkipped);
                rest = after;
                continue;
            }
            return (head, after);
        }
    }

    fn new(status: Option<u16>, version: Option<&'a [u8]>, remarks: AnswerRemarks) -> Head<'a> {
        let http_version = version.map(|version| version.get(..VERSION_BYTES).unwrap_or(version));
        Head { status, http_version, remarks, lines: b"", first: [None; Field::COUNT], repeated: 0 }
    }

    /// Reads the lines after the status line. Returns the bytes after the head.
    fn read_headers(&mut self, lines: &'a [u8]) -> &'a [u8] {
        let mut headers = Headers::new(lines);
        for (name, value) in headers.by_ref() {
            if let Some(field) = Field::named(name)
                && let Some(slot) = self.first.get_mut(field as usize)
            {
                if slot.is_some() {
                    self.repeated |= 1 << field as u8;
                }
                *slot = slot.or(Some(value));
            }
        }
        self.lines = lines.get(..lines.len() - headers.rest.len()).unwrap_or_default();
        if memchr::memchr(0, self.lines).is_some() {
            self.remarks.add(AnswerRemark::HeadNul);
        }
        self.remarks = self.remarks | headers.remarks;
        headers.rest
    }

    /// The trimmed value of the first header with that name. A folded value has a space at each fold.
    #[must_use]
    pub fn first(&self, field: Field) -> Option<Cow<'a, [u8]>> {
        self.written(field).map(unfolded)
    }

    /// The values of all headers with that name. RFC 9110 § 5.3: those of a list may be joined by commas.
    pub fn all(&self, field: Field) -> impl Iterator<Item = Cow<'a, [u8]>> + use<'a> {
        // Only a header that is repeated is searched again.
        let lines = if self.repeated & 1 << field as u8 == 0 { &b""[..] } else { self.lines };
        let later = Headers::new(lines).filter(move |(name, _)| Field::named(name) == Some(field)).skip(1);
        self.first(field).into_iter().chain(later.map(|(_, value)| unfolded(value)))
    }

    /// All headers with their values as written, including those without a [`Field`].
    #[must_use]
    pub fn headers(&self) -> Headers<'a> {
        Headers::new(self.lines)
    }

    /// The first value as it is written, folds included.
    fn written(&self, field: Field) -> Option<&'a [u8]> {
        *self.first.get(field as usize)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(block: &str, status: Option<u16>, after: &str, remarks: &[AnswerRemark]) {
        let (head, found) = Head::read(block.as_bytes());
        assert_eq!((head.status, text(found)), (status, after.into()));
        assert_eq!(head.remarks.iter().collect::<Vec<_>>(), remarks, "{block:?}");
    }

    #[test]
    fn where_the_head_ends() {
        check("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Some(200), "body", &[]);
        check("HTTP/1.1 200 OK\r\n\r\nbody", Some(200), "body", &[]);
        check("HTTP/1.1 200 OK\nA: b\n\nbody", Some(200), "body", &[AnswerRemark::HeadLfOnly]);
        check("HTTP/1.1 200 OK\nA: b\n\r\nbody", Some(200), "body", &[AnswerRemark::HeadLfOnly]);
        check("HTTP/1.1 200 OK\r\nA: b\r\n\nbody", Some(200), "body", &[AnswerRemark::HeadLfOnly]);
        check("HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nbody", Some(200), "body", &[]);
        check("HTTP/1.1 200 OK\r\nA: b\r\n\r\n\r\nbody", Some(200), "\r\nbody", &[]);
        check("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", Some(200), "", &[]);
        check("HTTP/1.1 200 OK\r\nA: b\r\n", Some(200), "", &[AnswerRemark::HeadUnended]);
        check("HTTP/1.1 200 OK\r\nA: b", Some(200), "", &[AnswerRemark::HeadUnended]);
        check("HTTP/1.1 200", Some(200), "", &[AnswerRemark::HeadUnended]);
    }

    #[test]
    fn a_block_without_a_status_line_is_body() {
        check("", None, "", &[AnswerRemark::StatusLineMissing]);
        check("User-agent: *\n\nDisallow:", None, "User-agent: *\n\nDisallow:", &[AnswerRemark::StatusLineMissing]);
        check("\r\nhello", None, "\r\nhello", &[AnswerRemark::StatusLineMissing]);
        check("HTTPS: yes\n\nx", None, "HTTPS: yes\n\nx", &[AnswerRemark::StatusLineMissing]);
        check("\r\n\nHTTP/1.1 200 OK\r\n\r\nbody", Some(200), "body", &[AnswerRemark::HeadPreceded]);
    }

    #[test]
    fn interim_responses_are_skipped() {
        let answer = "HTTP/1.1 200 OK\r\n\r\nbody";
        check(&format!("HTTP/1.1 100 Continue\r\n\r\n{answer}"), Some(200), "body", &[AnswerRemark::InterimSkipped]);
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        check(&format!("{hints}{hints}{answer}"), Some(200), "body", &[AnswerRemark::InterimSkipped]);
        check("HTTP/1.1 101 Switching Protocols\r\n\r\nbinary", Some(101), "binary", &[]);
        check(hints, Some(103), "", &[]);
        check(&format!("HTTP/1.1 200 OK\r\n\r\n{answer}"), Some(200), answer, &[]);
        let (head, _) = Head::read(b"HTTP/1.1 100 Continue\r\nServer: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(head.first(Field::Server), None);
    }

    #[test]
    fn odd_lines_only_get_remarks() {
        let head = "HTTP/1.1 200 OK\r\n";
        check(&format!("{head}no colon\r\nA: b\r\n\r\nx"), Some(200), "x", &[AnswerRemark::HeaderWithoutColon]);
        check(&format!("{head}A : b\r\n\r\nx"), Some(200), "x", &[AnswerRemark::HeaderBlankBeforeColon]);
        check(&format!("{head}A: b\r\n c\r\n\r\nx"), Some(200), "x", &[AnswerRemark::HeaderFolded]);
        check(&format!("{head} A: b\r\n\r\nx"), Some(200), "x", &[AnswerRemark::HeaderFolded]);
        check(&format!("{head}A: \0\r\n\r\nx"), Some(200), "x", &[AnswerRemark::HeadNul]);
        check(&format!("{head}: b\r\n\r\nx\0"), Some(200), "x\0", &[]);
    }

    #[track_caller]
    fn check_values(lines: &str, field: Field, expected: &[&str]) {
        let block = format!("HTTP/1.1 200 OK\r\n{lines}\r\n\r\n");
        let (head, _) = Head::read(block.as_bytes());
        let found: Vec<_> = head.all(field).map(|value| text_of(&value)).collect();
        assert_eq!(found, expected, "{lines:?}");
        assert_eq!(head.first(field).map(|value| text_of(&value)).as_deref(), expected.first().copied());
    }

    fn text_of(value: &[u8]) -> String {
        value.escape_ascii().to_string()
    }

    #[test]
    fn values() {
        check_values("Location: /a", Field::Location, &["/a"]);
        check_values("LOCATION:/a", Field::Location, &["/a"]);
        check_values("location \t: \t/a \t", Field::Location, &["/a"]);
        check_values("Location:", Field::Location, &[""]);
        check_values("Location: http://a/\r\nX: y\r\nlocation: /b", Field::Location, &["http://a/", "/b"]);
        check_values("Location:\r\n /a\r\n\t/b\r\nX: y", Field::Location, &["/a /b"]);
        check_values("Location: /a\r\n  \r\nX: y", Field::Location, &["/a"]);
        check_values("no colon\r\n folded\r\nLocation: /a", Field::Location, &["/a"]);
        check_values("XLocation: /a", Field::Location, &[]);
        check_values("Location\0: /a", Field::Location, &[]);
        check_values("Server: caf\u{e9}\0", Field::Server, &["caf\\xc3\\xa9\\x00"]);
        check_values("X-Crawler-content-encoding: gzip", Field::CrawlerContentEncoding, &["gzip"]);
        check_values("X-Crawler-Content-Length: 5", Field::ContentLength, &[]);
    }

    #[test]
    fn headers_that_are_no_field() {
        let (head, _) = Head::read(b"HTTP/1.1 200 OK\r\nETag: \"x\"\r\nServer: a\r\n\r\nX: y\r\n");
        let found: Vec<_> = head.headers().collect();
        assert_eq!(found, [(&b"ETag"[..], &b"\"x\""[..]), (b"Server", b"a")]);
    }

    #[test]
    fn versions() {
        let check = |line: &str, expected: Option<&[u8]>| {
            assert_eq!(Head::read(line.as_bytes()).0.http_version, expected, "{line}");
        };
        check("HTTP/1.1 200 OK", Some(b"HTTP/1.1"));
        check("HTTP/2 200", Some(b"HTTP/2"));
        check("http/1.0 404", Some(b"http/1.0"));
        for line in ["http 404", "ICY 200 OK", "HTTP/ 200"] {
            check(line, None);
        }
        check("HTTP/1.000000000000000000 200 OK", Some(b"HTTP/1.000000000"));
        check("hello", None);
    }
}
