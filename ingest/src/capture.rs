//! Which records are captures, and the row of a capture.

mod skip;

pub use skip::{CaptureChoice, MOST_TARGET_BYTES, Skip, Takes};

use crate::answer::{Field, Head, head};
use crate::archive::{Place, Record, RecordType};
use crate::fold::unfolded;
use crate::number::large;
use crate::site::UrlParts;
use data_encoding::{BASE32_NOPAD, BASE32_NOPAD_NOCASE, HEXLOWER_PERMISSIVE};
use robots::AccessResult;
use std::borrow::Cow;
use tables::{BatchSink, ParquetError, RowWriter, captures};

/// The prefix of a payload digest in an archive. The tables omit it, as Common Crawl's index does.
const SHA1: &[u8] = b"sha1:";

/// Everything that the row of a capture needs.
#[derive(Debug)]
pub struct Capture<'c> {
    /// Its number.
    pub id: i64,
    /// Its record.
    pub record: &'c Record<'c>,
    /// The place of the record.
    pub place: Place,
    /// The name of the archive.
    pub warc_filename: &'c str,
    /// Its target.
    pub target: &'c UrlParts<'c>,
    /// When it was fetched, in milliseconds since 1970.
    pub fetch_time: Option<i64>,
    /// The HTTP head, if it has one: [`Capture::has_head`].
    pub head: Option<&'c Head<'c>>,
    /// The class of its status.
    pub access_result: AccessResult,
    /// The URL that it redirects to. `None` if it does not redirect, or the location is not usable.
    pub redirect: Option<&'c str>,
    /// The length of its decoded body, in bytes.
    pub body_bytes: i64,
    /// The number of its body, if it has one.
    pub body_id: Option<i64>,
    /// The names of its remarks, with blanks between them.
    pub remarks: Option<&'c str>,
}

impl Capture<'_> {
    /// Adds its row.
    pub fn push_to<S: BatchSink>(&self, captures: &mut RowWriter<captures::Batch, S>) -> Result<(), ParquetError> {
        let Capture { record, target, head, .. } = *self;
        let head = head.copied();
        let mime_type = head.and_then(|head| head.media_type());
        let charset = head.and_then(|head| head.charset());
        let encoding = head.and_then(|head| head.content_encoding());
        let server = head.and_then(|head| head.server());
        let version = head.and_then(|head| head.http_version).map(String::from_utf8_lossy);
        let detected = record.identified_payload_type.map(head::start).map(unfolded);
        let detected = detected.and_then(|value| head::media_type(&value));
        let digest = content_digest(record.payload_digest);
        let truncated = text(record.truncated);
        let ip = text(record.ip_address);
        captures.push(captures::Row {
            capture_id: self.id,
            url: &target.url,
            url_protocol: target.protocol.as_deref(),
            url_host_name: target.host_name.as_deref(),
            url_port: target.port.map(i32::from),
            url_host_tld: target.tld(),
            url_host_registered_domain: target.registered_domain(),
            url_host_private_domain: target.private_domain(),
            url_path: target.path.as_deref().unwrap_or_default(),
            url_query: target.query.as_deref(),
            fetch_time: self.fetch_time,
            fetch_status: head.and_then(|head| head.status).map(i32::from),
            fetch_redirect: self.redirect,
            access_result: self.access_result.name(),
            content_mime_type: mime_type.as_deref(),
            content_mime_detected: detected.as_deref(),
            content_charset: charset.as_deref(),
            content_encoding: encoding.as_deref(),
            content_digest: digest.as_deref(),
            content_truncated: truncated.as_deref(),
            body_bytes: self.body_bytes,
            body_id: self.body_id,
            http_version: version.as_deref(),
            server: server.as_deref(),
            cache_max_age_s: head.and_then(|head| head.cache_max_age_s()),
            retry_after_s: head.and_then(|head| head.retry_after_s(self.fetch_time)),
            remarks: self.remarks,
            warc_ip: ip.as_deref(),
            warc_record_type: record.record_type.name(),
            warc_filename: self.warc_filename,
            warc_record_offset: large(self.place.offset),
            warc_record_length: large(self.place.length),
        })
    }

    /// Whether the block of a record starts with an HTTP head. That of a `resource` does not, since its file was not
    /// fetched over HTTP. A `revisit` may have no block. WARC 1.1 § 6.7.2: "A 'revisit' record using this profile may
    /// have no record block, in which case a Content-Length of zero must be written."
    #[must_use]
    pub fn has_head(record_type: RecordType, block: &[u8]) -> bool {
        match record_type {
            RecordType::Resource => false,
            RecordType::Revisit => !block.is_empty(),
            _ => true,
        }
    }

    /// The class of the status. A record without a head counts as successful by RFC 9309 § 2.3.1.1: "If the crawler
    /// successfully downloads the robots.txt file". For a `revisit` that is not certain, but only bodies of successful
    /// responses are read, and it has a body only if it repeats one of these.
    #[must_use]
    pub fn access_result(head: Option<&Head<'_>>) -> AccessResult {
        head.map_or(AccessResult::Successful, |head| AccessResult::from_status(head.status))
    }

    /// The `Location` of a response that redirects.
    #[must_use]
    pub fn location<'h>(access_result: AccessResult, head: Option<&Head<'h>>) -> Option<Cow<'h, [u8]>> {
        head.filter(|_| access_result == AccessResult::Redirect)?.first(Field::Location)
    }
}

/// The start of a field of a record as text, if it is not empty; bytes that are not UTF-8 become U+FFFD.
fn text(field: Option<&[u8]>) -> Option<Cow<'_, str>> {
    Some(match unfolded(head::start(field.filter(|value| !value.is_empty())?)) {
        Cow::Borrowed(value) => String::from_utf8_lossy(value),
        Cow::Owned(value) => String::from_utf8_lossy(&value).into_owned().into(),
    })
}

/// A payload digest. A SHA-1 is in base32, as in `bodies`, also if the archive has it in hexadecimal digits, as those of
/// warcprox do.
fn content_digest(written: Option<&[u8]>) -> Option<Cow<'_, str>> {
    let digits = match written?.split_at_checked(SHA1.len()) {
        Some((algorithm, digits)) if algorithm.eq_ignore_ascii_case(SHA1) => digits,
        _ => return text(written),
    };
    let encoding = match digits.len() {
        // As most archives have it.
        32 if digits.iter().all(|digit| matches!(digit, b'A'..=b'Z' | b'2'..=b'7')) => return text(Some(digits)),
        40 => HEXLOWER_PERMISSIVE,
        32 => BASE32_NOPAD_NOCASE,
        _ => return text(Some(digits)),
    };
    match encoding.decode(digits) {
        Ok(octets) => Some(BASE32_NOPAD.encode(&octets).into()),
        Err(_) => text(Some(digits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;

    /// Expects text columns of the row of a capture.
    #[track_caller]
    fn check(fields: &str, http: &str, expected: &[(&str, Option<&str>)]) {
        let block = format!("{http}\r\n\r\n");
        let text = format!(
            "WARC/1.0\r\nWARC-Type: response\r\n{fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        let (record, _) = Record::read(text.as_bytes()).unwrap();
        let (head, _) = Head::read(record.block);
        let capture = Capture {
            id: 0,
            record: &record,
            place: Place { offset: 0, length: 0, index: 0 },
            warc_filename: "",
            target: &UrlParts::split(b"http://a.example/robots.txt"),
            fetch_time: None,
            head: Some(&head),
            access_result: AccessResult::Successful,
            redirect: None,
            body_bytes: 0,
            body_id: None,
            remarks: None,
        };
        let mut rows = RowWriter::new(Vec::<RecordBatch>::new());
        capture.push_to(&mut rows).unwrap();
        rows.flush().unwrap();
        let [batch] = &**rows.sink() else { panic!("one batch") };
        for (column, value) in expected {
            assert_eq!(batch[*column].as_string::<i32>().iter().next().flatten(), *value, "{column}");
        }
    }

    #[test]
    fn a_record_without_a_head_counts_as_successful() {
        let check = |record_type: &str, block: &str, expected: AccessResult| {
            let length = block.len();
            let text =
                format!("WARC/1.1\r\nWARC-Type: {record_type}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n");
            let (record, _) = Record::read(text.as_bytes()).unwrap();
            let head = Capture::has_head(record.record_type, record.block).then(|| Head::read(record.block).0);
            assert_eq!(Capture::access_result(head.as_ref()), expected, "{record_type} {block:?}");
        };
        check("resource", "", AccessResult::Successful);
        check("resource", "HTTP/1.1 404 Not Found\r\n\r\n", AccessResult::Successful);
        check("revisit", "", AccessResult::Successful);
        check("revisit", "HTTP/1.1 404 Not Found\r\n\r\n", AccessResult::Unavailable);
        check("revisit", "User-agent: *\r\n", AccessResult::Unreachable);
        check("response", "", AccessResult::Unreachable);
    }

    #[test]
    fn empty_fields_are_null() {
        let fields = "WARC-Truncated:\r\nWARC-IP-Address: \r\nWARC-Payload-Digest:\r\n\
            WARC-Identified-Payload-Type:\r\n";
        let empty =
            ["content_truncated", "warc_ip", "content_digest", "content_mime_detected", "server", "content_encoding"];
        check(fields, "HTTP/1.1 200 OK\r\nServer:\r\nContent-Encoding:", &empty.map(|column| (column, None)));
        check("WARC-Payload-Digest: sha1:\r\n", "HTTP/1.1 200 OK", &[("content_digest", None)]);
    }

    #[test]
    fn a_sha1_is_in_base32() {
        let base32 = "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
        for (written, expected) in [
            ("sha1:A9993E364706816ABA3E25717850C26C9CD0D89D", base32),
            ("SHA1:a9993e364706816aba3e25717850c26c9cd0d89d", base32),
            ("sha1:vgmt4nsha2awvor6evyxqugcnsonbwe5", base32),
            ("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", base32),
            ("sha1:z9993e364706816aba3e25717850c26c9cd0d89d", "z9993e364706816aba3e25717850c26c9cd0d89d"),
            ("a9993e364706816aba3e25717850c26c9cd0d89d", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("md5:900150983cd24fb0d6963f7d28e17f72", "md5:900150983cd24fb0d6963f7d28e17f72"),
        ] {
            let fields = format!("WARC-Payload-Digest: {written}\r\n");
            check(&fields, "HTTP/1.1 200 OK", &[("content_digest", Some(expected))]);
        }
    }

    #[test]
    fn fields_are_unfolded_and_names_normalised() {
        let fields = "WARC-Truncated:\r\n length\r\nWARC-IP-Address: a\r\n\tb\r\n\
            WARC-Identified-Payload-Type: Text/HTML; charset=x\r\n";
        let http = "HTTP 200 OK\r\nX-Crawler-Content-Encoding: gzip\r\nContent-Type: Text/Plain;a=b";
        let expected = [
            ("content_truncated", "length"),
            ("warc_ip", "a b"),
            ("content_mime_detected", "text/html"),
            ("content_mime_type", "text/plain"),
            ("content_encoding", "gzip"),
        ];
        check(fields, http, &expected.map(|(column, value)| (column, Some(value))));
        let long = "a".repeat(1_000);
        let fields =
            format!("WARC-Truncated: {long}\r\nWARC-IP-Address: {long}\r\nWARC-Payload-Digest: sha256:{long}\r\n");
        let digest = format!("sha256:{}", "a".repeat(249));
        let expected = [("content_truncated", &long[..256]), ("warc_ip", &long[..256]), ("content_digest", &digest)];
        check(&fields, "HTTP 200 OK", &expected.map(|(column, value)| (column, Some(value))));
        check("", "HTTP 200 OK", &[("http_version", None)]);
        check("", "HTTP/2 200", &[("http_version", Some("HTTP/2"))]);
    }
}
