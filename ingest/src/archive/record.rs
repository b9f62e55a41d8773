//! A WARC record over borrowed bytes, with the fields that the tables need. Nothing is copied.

mod block;
mod head;

use super::form::{MAGIC, RecordForm, line_ends};
use super::record_type::RecordType;
use super::remark::{RecordRemark, RecordRemarks};
use crate::fold::continues;
use crate::number;
pub(super) use head::RecordHead;

/// A record: its fields as they are written, without white space around them but with folds inside, and its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record<'b> {
    /// Its type.
    pub record_type: RecordType,
    /// `WARC-Type` as written.
    pub written_type: &'b [u8],
    /// The text after `WARC/`.
    pub version: &'b [u8],
    /// `WARC-Target-URI`; angle brackets around it are part of it, see
    /// [`UrlParts::split`](crate::site::UrlParts::split).
    pub target_uri: Option<&'b [u8]>,
    /// `WARC-Date`, see [`super::milliseconds`].
    pub date: Option<&'b [u8]>,
    /// `WARC-IP-Address`.
    pub ip_address: Option<&'b [u8]>,
    /// `WARC-Truncated`.
    pub truncated: Option<&'b [u8]>,
    /// `WARC-Payload-Digest`.
    pub payload_digest: Option<&'b [u8]>,
    /// `WARC-Identified-Payload-Type`.
    pub identified_payload_type: Option<&'b [u8]>,
    /// The block.
    pub block: &'b [u8],
    /// Remarks on it.
    pub remarks: RecordRemarks,
    /// How many bytes before it belong to no record.
    pub preceding: usize,
    /// Whether a part of it is missing or destroyed, so that its fields or its status may be those of another record.
    /// Then it counts as damage.
    pub is_broken: bool,
}

impl<'b> Record<'b> {
    /// Reads the first WARC record in `bytes`. Returns it and its length, which includes bytes before it and the line
    /// ends after it. Returns `None` if there is no record.
    #[must_use]
    #[inline]
    pub fn read(bytes: &'b [u8]) -> Option<(Record<'b>, usize)> {
        Record::read_as(RecordForm::Warc, bytes)
    }

    /// The same for records of any format.
    #[inline]
    pub(super) fn read_as(form: RecordForm, bytes: &'b [u8]) -> Option<(Record<'b>, usize)> {
        Some(RecordHead::read(form, bytes)?.record(bytes))
    }

    /// Whether the block may be that of another record.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        [RecordRemark::BlockDoubtful, RecordRemark::HeadDoubtful].iter().any(|remark| self.remarks.has(*remark))
    }

    /// Whether a record at the end of the bytes may continue in bytes that follow.
    pub(super) fn has_open_end(&self) -> bool {
        use RecordRemark::{BlockShort, EndMissing, LengthInvalid, LengthMissing};
        [EndMissing, BlockShort, LengthMissing, LengthInvalid].iter().any(|remark| self.remarks.has(*remark))
    }

    /// Whether it breaks off before its body: its block does not have the length that its head says, and the head has a
    /// line without a colon, or a response has no block, or one that breaks off in its HTTP head.
    #[cold]
    fn breaks_off(&self) -> bool {
        use RecordRemark::{BlockShort, LengthInvalid, LengthMissing, LineWithoutColon};
        let has_other_length =
            [BlockShort, LengthMissing, LengthInvalid].iter().any(|remark| self.remarks.has(*remark));
        let is_short = match self.record_type {
            RecordType::Response => self.block.is_empty() || block::is_in_http_head(self.block),
            RecordType::Revisit => block::is_in_http_head(self.block),
            _ => false,
        };
        has_other_length && (self.remarks.has(LineWithoutColon) || is_short)
    }

    /// Whether the bytes are too few to tell where their first record ends: its head claims an end beyond them, or at
    /// the start of what may be the next record. A line that starts a record may then belong to its block.
    #[cold]
    pub(super) fn has_unknown_end(form: RecordForm, bytes: &'b [u8]) -> bool {
        let claimed = RecordHead::read(form, bytes).and_then(|head| head.end(bytes));
        claimed.is_some_and(|end| bytes.get(end..).is_none_or(|after| form.may_start(after)))
    }

    /// Reads a line of the head, with the lines that continue it. If a field is repeated, the first counts.
    fn field(&mut self, line: &'b [u8], length: &mut Option<&'b [u8]>) {
        let colon = memchr::memchr2(b':', b'\n', line).filter(|at| line.get(*at) == Some(&b':'));
        let Some(colon) = colon else { return self.remarks.add(RecordRemark::LineWithoutColon) };
        let (name, value) = line.split_at(colon);
        let (name, value) = (name.trim_ascii(), value.get(1..).unwrap_or_default().trim_ascii());
        // Whether the field says what the block is.
        let (slot, says_what) = match name.len() {
            9 if name.eq_ignore_ascii_case(b"WARC-Type") => {
                if self.written_type.is_empty() {
                    self.written_type = value;
                    self.record_type = RecordType::named(value);
                }
                return self.remarks.add_if(self.written_type != value, RecordRemark::HeadDoubtful);
            }
            14 if name.eq_ignore_ascii_case(b"Content-Length") => (length, true),
            15 if name.eq_ignore_ascii_case(b"WARC-Target-URI") => (&mut self.target_uri, true),
            9 if name.eq_ignore_ascii_case(b"WARC-Date") => (&mut self.date, true),
            15 if name.eq_ignore_ascii_case(b"WARC-IP-Address") => (&mut self.ip_address, false),
            14 if name.eq_ignore_ascii_case(b"WARC-Truncated") => (&mut self.truncated, false),
            19 if name.eq_ignore_ascii_case(b"WARC-Payload-Digest") => (&mut self.payload_digest, false),
            19 if name.eq_ignore_ascii_case(b"WARC-Segment-Number") => {
                return self.remarks.add_if(value == b"1", RecordRemark::FirstSegment);
            }
            28 if name.eq_ignore_ascii_case(b"WARC-Identified-Payload-Type") => {
                (&mut self.identified_payload_type, false)
            }
            _ => return,
        };
        let first = *slot.get_or_insert(value);
        self.remarks.add_if(says_what && first != value, RecordRemark::HeadDoubtful);
    }

    /// Reads a line with the lines that continue it. Nothing stands before those that follow the version.
    #[cold]
    fn folded_field(&mut self, lines: &'b [u8], length: &mut Option<&'b [u8]>) {
        self.remarks.add(RecordRemark::FoldedLine);
        if !continues(lines) {
            self.field(lines, length);
        }
    }

    /// The length of the block, from `Content-Length`.
    fn block_length(&mut self, written: Option<&[u8]>) -> Option<usize> {
        let length = written.and_then(number::content_length).and_then(|length| usize::try_from(length).ok());
        self.remarks.add_if(written.is_none(), RecordRemark::LengthMissing);
        self.remarks.add_if(written.is_some() && length.is_none(), RecordRemark::LengthInvalid);
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record, its length, and its remarks by name.
    fn read(bytes: &str) -> Option<(Record<'_>, usize, Vec<&'static str>)> {
        let (record, length) = Record::read(bytes.as_bytes())?;
        Some((record, length, record.remarks.iter().map(RecordRemark::name).collect()))
    }

    /// Expects one record that takes all bytes.
    fn check(bytes: &str, block: &str, remarks: &[&str]) {
        let (record, length, found_remarks) = read(bytes).unwrap();
        assert_eq!(String::from_utf8_lossy(record.block), block, "{bytes:?}");
        assert_eq!((length, &*found_remarks), (bytes.len(), remarks), "{bytes:?}");
    }

    #[test]
    fn a_record() {
        let bytes = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/robots.txt>\r\n\
            WARC-IP-Address: <192.0.2.1>\r\nWARC-Date: 2017-08-21T03:12:07Z\r\nContent-Type: application/http\r\n\
            Content-Length: 5\r\n\r\nhello\r\n\r\n";
        let (record, length, remarks) = read(bytes).unwrap();
        assert_eq!((record.record_type, record.version), (RecordType::Response, &b"1.0"[..]));
        assert_eq!(record.target_uri, Some(&b"<http://a.example/robots.txt>"[..]), "as written");
        assert_eq!(record.date, Some(&b"2017-08-21T03:12:07Z"[..]));
        assert_eq!((record.ip_address, record.truncated), (Some(&b"<192.0.2.1>"[..]), None));
        assert_eq!((record.block, length, remarks.len()), (&b"hello"[..], bytes.len(), 0));
    }

    #[test]
    fn ends_of_lines_and_case() {
        check("WARC/1.1\nwarc-type: RESPONSE\ncontent-LENGTH : 2\n\nab\n\n", "ab", &[]);
        check("WARC/1.0\r\r\nContent-Length: 2\r\r\n\r\r\nab\r\n\r\n", "ab", &[]);
        check("\r\n\u{feff}WARC/0.18\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "", &[]);
    }

    #[test]
    fn lengths() {
        check("WARC/1.0\n\nabc", "abc", &["length-missing", "end-missing"]);
        check("WARC/1.0\nContent-Length: -2\n\nabc", "abc", &["length-invalid", "end-missing"]);
        check("WARC/1.0\nContent-Length: 18446744073709551615\n\na", "a", &["length-invalid", "end-missing"]);
        check("WARC/1.0\nContent-Length: 9\n\nab\n\n", "ab", &["block-short"]);
        check("WARC/1.0\nContent-Length: 1\nContent-Length: 2\n\na\n\n", "a", &["head-doubtful"]);
    }

    #[test]
    fn the_line_ends_that_close_a_record_are_not_part_of_its_block() {
        let next = "WARC/1.0\r\nContent-Length: 1\r\n\r\nb\r\n\r\n";
        for (field, remark) in [
            ("X: y", "length-missing"),
            ("Content-Length: five", "length-invalid"),
            ("Content-Length: 6", "block-short"),
            ("Content-Length: 7", "block-short"),
            ("Content-Length: 8", "block-short"),
            ("Content-Length: 9", "block-short"),
            ("Content-Length: 10", "block-short"),
            ("Content-Length: 999", "block-short"),
        ] {
            let record = format!("WARC/1.0\r\n{field}\r\n\r\nhello\r\n\r\n");
            check(&record, "hello", &[remark]);
            let two = record.clone() + next;
            let (first, length, remarks) = read(&two).unwrap();
            assert_eq!((first.block, length, &*remarks), (&b"hello"[..], record.len(), &[remark][..]), "{field}");
        }
        for length in [6, 7] {
            check(&format!("WARC/1.0\nContent-Length: {length}\n\nhello\n\n"), "hello", &["block-short"]);
        }
        // A writer that closes records with one line end, and an answer whose body ends with one.
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nhello\r\n";
        for end in ["\r\n", ""] {
            let length = answer.len();
            check(&format!("WARC/1.0\r\nContent-Length: {length}\r\n\r\n{answer}{end}"), answer, &["end-missing"]);
        }
        // The block has line ends of its own, and those that close the record follow.
        check("WARC/1.0\r\nContent-Length: 9\r\n\r\nhello\r\n\r\n\r\n\r\n", "hello\r\n\r\n", &[]);
        check("WARC/1.0\r\nContent-Length: 6\r\n\r\nhello\n\r\n", "hello\n", &["end-missing"]);
        // A body keeps its own empty lines at the end if the record is closed by other line ends.
        check("WARC/1.0\r\nContent-Length: 99\r\n\r\na\n\n", "a\n\n", &["block-short", "end-missing"]);
    }

    #[test]
    fn a_block_that_may_have_swallowed_a_record() {
        let block = "a\r\n\r\nWARC/1.0\r\nContent-Length: 5\r\n\r\nb";
        let head = format!("WARC/1.0\r\nContent-Length: {}\r\n\r\n", block.len());
        check(&(head.clone() + block), block, &["end-missing", "block-doubtful"]);
        // If the closing line ends follow, a block may contain anything.
        check(&(head + block + "\r\n\r\n"), block, &[]);
    }

    #[test]
    fn a_head_that_may_be_that_of_two_records() {
        for (field, is_doubtful) in [
            ("WARC-Target-URI: http://b.example/robots.txt", true),
            ("WARC-Type: request", true),
            ("Content-Length: 2", true),
            ("WARC-Target-URI: http://a.example/robots.txt", false),
            ("WARC-Payload-Digest: sha256:B", false),
        ] {
            let record = format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/robots.txt\r\n\
                 Content-Length: 1\r\nWARC-Payload-Digest: sha1:A\r\n{field}\r\n\r\na\r\n\r\n"
            );
            check(&record, "a", if is_doubtful { &["head-doubtful"] } else { &[] });
        }
    }

    #[test]
    fn odd_heads() {
        check("WARC/1.0\nX: a\n b\nno colon\nContent-Length: 1\n\na\n\n", "a", &["folded-line", "line-without-colon"]);
        check("WARC/1.0\n X: a\nContent-Length: 1\n\na\n\n", "a", &["folded-line"]);
        check("WARC/1.0\nX\n Y: a\nContent-Length: 1\n\na\n\n", "a", &["folded-line", "line-without-colon"]);
        for junk in ["junk\n", "junk", "\0\0\0", "\0WARC/junk", "a WARC/1.0 file, ", "\0WARC/"] {
            check(&format!("{junk}WARC/1.0\nContent-Length: 1\n\na\n\n"), "a", &["preceded"]);
        }
        check("WARC/1.0", "", &["length-missing", "end-missing"]);
    }

    /// WARC/1.1 § 4: "A field value may be folded […] if the continuation line begins with a space or horizontal tab."
    #[test]
    fn folded_fields() {
        let bytes = "WARC/1.0\r\nWARC-Type:\r\n response\r\nWARC-Target-URI:\r\n \r\n\thttp://a.example/\r\n\
            WARC-IP-Address: a\r\n b\r\nContent-Length: \r\n 5\r\n\r\nhello\r\n\r\n";
        check(bytes, "hello", &["folded-line"]);
        let (record, ..) = read(bytes).unwrap();
        assert_eq!((record.record_type, record.target_uri), (RecordType::Response, Some(&b"http://a.example/"[..])));
        assert_eq!(record.ip_address, Some(&b"a\r\n b"[..]));
        check("WARC/1.0\nX: a\n b", "", &["folded-line", "length-missing", "end-missing"]);
    }

    /// WARC/1.1 § 7: the first segment of a record "SHALL include a WARC-Segment-Number field with a value of 1".
    #[test]
    fn first_segments() {
        check("WARC/1.1\nWARC-Segment-Number: 1\nContent-Length: 1\n\na\n\n", "a", &["first-segment"]);
        check("WARC/1.1\nWARC-Segment-Number: 2\nContent-Length: 1\n\na\n\n", "a", &[]);
    }

    #[test]
    fn no_record() {
        for bytes in ["", "\r\n\r\n", "HTTP/1.1 200 OK", "junk WARC/1.0", "junk WARC/1.0 junk\n"] {
            assert!(read(bytes).is_none(), "{bytes:?}");
        }
    }
}
