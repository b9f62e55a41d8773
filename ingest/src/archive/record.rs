//! A WARC record over borrowed bytes, with the fields that the tables need. Nothing is copied.

mod block;

use super::arc;
use super::form::{MAGIC, RecordForm, fillers, line_ends};
use super::record_type::RecordType;
use super::remark::{RecordRemark, RecordRemarks};
use crate::fold::continues;
use crate::number;
use block::CLOSING;

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
    /// `Content-Type`.
    pub content_type: Option<&'b [u8]>,
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
            12 if name.eq_ignore_ascii_case(b"Content-Type") => (&mut self.content_type, false),
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

/// NUL bytes where a part of a head was lost, as where a disk lost a sector of 512 bytes. Fewer may be padding of a value.
const LOST_BYTES: &[u8] = &[0; 64];

/// The head of a record whose block is not found yet.
///
/// A WARC head is whole if an empty line ends it and it has neither a run of NUL bytes nor the version line of another
/// record. Such a line starts the next record, even within a line of the head, where damage took the line end.
pub(super) struct RecordHead<'b> {
    form: RecordForm,
    record: Record<'b>,
    /// Where the block starts: at the end of the bytes if the head does not end.
    pub(super) block: usize,
    /// The length of the block that the head claims.
    length: Option<usize>,
}

impl<'b> RecordHead<'b> {
    /// The first head in the bytes.
    // Inlined, since this runs for every record: moving the head instead takes 1 % of all reading time.
    #[inline(always)]
    pub(super) fn read(form: RecordForm, bytes: &'b [u8]) -> Option<Self> {
        let (start, preceding) = start(form, bytes)?;
        let mut record = Record { preceding, ..Record::default() };
        record.remarks.add_if(preceding > 0, RecordRemark::Preceded);
        if form == RecordForm::Arc {
            let line = arc::Line::read(bytes.get(start..)?)?;
            record.record_type = line.record_type();
            record.target_uri = Some(line.url);
            record.date = Some(line.date);
            record.ip_address = Some(line.ip_address);
            record.content_type = Some(line.content_type);
            let length = record.block_length(Some(line.length));
            return Some(RecordHead { form, record, block: start + line.end, length });
        }
        let mut lines = HeadLines { rest: bytes.get(start..)? };
        record.version = lines.next()?.strip_prefix(MAGIC)?;
        let mut length = None;
        let rest = loop {
            let from = lines.rest;
            let Some(line) = lines.next() else { break lines.rest };
            if let Some(at) = version_at(line) {
                (record.is_broken, length) = (true, None);
                break from.get(at..)?;
            }
            match continues(lines.rest) || continues(line) {
                false => record.field(line, &mut length),
                true => record.folded_field(lines.folded(from), &mut length),
            }
        };
        let mut block = bytes.len() - rest.len();
        let head = bytes.get(start..block)?;
        if record.remarks.has(RecordRemark::HeadDoubtful)
            && let Some(at) = RecordForm::Warc.next_after_damage(head.get(MAGIC.len()..)?)
        {
            (record.is_broken, length, block) = (true, None, start + MAGIC.len() + at);
        }
        record.is_broken |= memchr::memchr(0, head).is_some() && memchr::memmem::find(head, LOST_BYTES).is_some()
            || rest.is_empty() && !ends_in_empty_line(head);
        let length = record.block_length(length);
        Some(RecordHead { form, record, block, length })
    }

    /// How many bytes before the head belong to no record.
    pub(super) fn preceding(&self) -> usize {
        self.record.preceding
    }

    /// Where the block ends: by the length in the head, even beyond the bytes, or else before the next line that starts
    /// a record.
    pub(super) fn end(&self, bytes: &[u8]) -> Option<usize> {
        match self.length {
            Some(length) => Some(self.block.saturating_add(length)),
            None => Some(self.block + self.form.next_in_block(bytes.get(self.block..)?)?),
        }
    }

    /// The end that a complete head claims, if it is beyond the bytes.
    #[cold]
    pub(super) fn end_beyond(&self, bytes: &[u8]) -> Option<usize> {
        self.end(bytes).filter(|end| !self.record.is_broken && *end > bytes.len())
    }

    /// The whole record and its length.
    #[inline(always)]
    pub(super) fn record(self, bytes: &'b [u8]) -> (Record<'b>, usize) {
        let RecordHead { form, mut record, block, length, .. } = self;
        let rest = bytes.get(block..).unwrap_or_default();
        let head = |bytes: &'b [u8]| bytes.get(..block).unwrap_or_default();
        let (block, after) = match length.and_then(|length| rest.split_at_checked(length)) {
            Some((block, after)) if form.is_border(after) => {
                let is_closed = form != RecordForm::Warc || line_ends(after) >= CLOSING.len();
                let kept = if is_closed { block.len() } else { record.without_closing(rest, block.len(), head(bytes)) };
                rest.split_at_checked(kept).unwrap_or((block, after))
            }
            claimed => record.doubtful_block(form, rest, length, claimed, head(bytes)),
        };
        record.block = block;
        let ends = line_ends(after);
        if after.iter().take(ends).filter(|byte| **byte == b'\n').count() < form.closing_ends() {
            record.remarks.add(RecordRemark::EndMissing);
            if form.next_in_block(block).is_some() {
                record.remarks.add(RecordRemark::BlockDoubtful);
            }
        }
        record.is_broken |= record.has_open_end() && record.breaks_off();
        (record, bytes.len() - after.len() + ends)
    }
}

/// Where the record starts: after line ends and a byte order mark, or else after bytes that belong to no record. Returns
/// how many of these there are, too.
fn start(form: RecordForm, bytes: &[u8]) -> Option<(usize, usize)> {
    let filler = fillers(bytes);
    if form.is_start(bytes.get(filler..)?) {
        return Some((filler, 0));
    }
    let found = form.next_after_damage(bytes)?;
    Some((found, found))
}

/// Where a version line starts in a line of a head. A line with a colon is a field instead: a URL may end like that.
#[inline]
fn version_at(line: &[u8]) -> Option<usize> {
    let digits = line.iter().rev().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.')).count();
    let before = line.get(..line.len() - digits).filter(|_| digits > 0)?.strip_suffix(MAGIC)?;
    (!before.contains(&b':')).then_some(before.len())
}

/// Whether an empty line ends a head.
fn ends_in_empty_line(head: &[u8]) -> bool {
    let mut before = head.strip_suffix(b"\n").unwrap_or_default();
    while let [shorter @ .., b'\r'] = before {
        before = shorter;
    }
    before.ends_with(b"\n")
}

/// The lines of a head, up to an empty one. A line ends in LF, and all CRs before it belong to its end.
struct HeadLines<'b> {
    rest: &'b [u8],
}

impl<'b> HeadLines<'b> {
    /// The line that was just read, which starts at `from`, with the lines that continue it.
    #[cold]
    fn folded(&mut self, from: &'b [u8]) -> &'b [u8] {
        while continues(self.rest) && self.next().is_some() {}
        from.get(..from.len() - self.rest.len()).unwrap_or_default()
    }
}

impl<'b> Iterator for HeadLines<'b> {
    type Item = &'b [u8];

    #[inline]
    fn next(&mut self) -> Option<&'b [u8]> {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let mut line = self.rest.get(..end)?;
        while let [shorter @ .., b'\r'] = line {
            line = shorter;
        }
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        (!line.is_empty()).then_some(line)
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
