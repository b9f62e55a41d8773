//! Decodes the body of an HTTP response: chunks first, then codings from the last to the first. A coding in the head
//! counts only if the bytes agree, since archives have decoded bodies with the original heads. A body that needs no
//! decoding is not copied.

mod chunked;
mod coding;
mod sink;

use super::head::{Field, Head};
use super::remark::{AnswerRemark, AnswerRemarks};
use crate::archive::RecordType;
use coding::{Coding, CodingEnd, Decoders};
use sink::Sink;

pub use sink::KEPT_BYTES;

/// Decoding stops after this many decoded bytes, over all codings of a body, however long the archived body is.
///
/// This is eight times what is kept, and decoding that much takes 0.2 seconds. A longer body is not a robots.txt.
pub const WORK_BYTES: u64 = 8 * KEPT_BYTES as u64;

/// Decoding stops after this many decoded bytes for each archived byte, and [`FREE_BYTES`] for each body.
///
/// The highest ratio of gzip is 1,032. br and zstd have none: 203 bytes of br can become 128 MiB, so that an archive of
/// 1 MB would take a quarter of an hour.
const BYTES_PER_BYTE: u64 = 1_024;

/// Twice what a crawler must read of a robots.txt, in any coding.
const FREE_BYTES: u64 = 1 << 20;

/// After how many decoded bytes decoding stops, for an archived body of this length.
#[must_use]
pub fn most_work(archived_bytes: usize) -> u64 {
    (FREE_BYTES + archived_bytes as u64 * BYTES_PER_BYTE).min(WORK_BYTES)
}

/// How many codings of a body are decoded. Real responses have one, rarely two.
pub const MOST_CODINGS: usize = 4;

/// A decoded body. It borrows from the block if nothing was decoded, and otherwise from the [`Decoder`].
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// The decoded body, at most [`KEPT_BYTES`] of it.
    pub bytes: &'a [u8],
    /// The length of the decoded body in bytes. With [`AnswerRemark::BodyOverWork`] the body is longer, and ends here after
    /// a whole line.
    pub total_bytes: u64,
    /// The body as archived, still encoded: everything after the head.
    pub archived: &'a [u8],
    /// Remarks on the body.
    pub remarks: AnswerRemarks,
}

impl<'a> Body<'a> {
    /// A body without codings: the block of a `resource` record, which has no HTTP head. `is_truncated` if the record says
    /// that it was cut.
    #[must_use]
    pub fn unencoded(block: &'a [u8], is_truncated: bool) -> Self {
        let mut remarks = AnswerRemarks::default();
        remarks.add_if(block.is_empty() && is_truncated, AnswerRemark::BodyMissing);
        remarks.add_if(block.len() > KEPT_BYTES, AnswerRemark::BodyOverCap);
        let bytes = block.get(..KEPT_BYTES).unwrap_or(block);
        Body { bytes, total_bytes: block.len() as u64, archived: block, remarks }
    }
}

/// Decodes bodies in buffers that it reuses; each worker has one. A buffer is made when it is first needed.
///
/// Between two bodies it takes at most two buffers of [`KEPT_BYTES`] and a zstd window of 8 MiB.
#[derive(Default)]
pub struct Decoder {
    decoders: Decoders,
    /// The output of the last decoder.
    output: Vec<u8>,
    /// The output of the decoder before it, if a body has several codings.
    input: Vec<u8>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("buffer_bytes", &(self.output.capacity() + self.input.capacity())).finish()
    }
}

impl Decoder {
    /// Decodes the body that follows a head in a record. `is_truncated` if the record says that it was cut.
    pub fn decode<'a>(
        &'a mut self,
        record_type: RecordType,
        is_truncated: bool,
        head: &Head<'_>,
        after: &'a [u8],
    ) -> Body<'a> {
        let mut remarks = AnswerRemarks::default();
        let archived = without_extra_eol(head, after, &mut remarks);
        let mut work_left = most_work(archived.len());
        let (mut codings, is_chunked) = codings(head, &mut remarks);
        // RFC 9112 § 6.3: a 1xx, 204 or 304 has no body. The length of a 304 is that of the body that it confirms.
        // WARC/1.1 § 6.7.2: a revisit that repeats a body may leave it out, and its head is that of the response.
        let is_left_out = matches!(head.status, Some(100..=199 | 204 | 304))
            || record_type == RecordType::Revisit && archived.is_empty();
        let has_length = !is_chunked && !is_left_out;
        if has_length && head.content_length().is_some_and(|length| length != archived.len() as u64) {
            remarks.add(AnswerRemark::LengthDiffers);
        }
        // RFC 9112 § 8: a message is incomplete if its head has no end, or if fewer octets than Content-Length arrived.
        // Recorders store a response to HEAD like that, too. It must not count as an empty file.
        // If a recorder undid the coding of an empty file, the length is that of the coded file.
        let most_of_nothing = codings.iter().map(|coding| coding.most_of_nothing()).max();
        let is_empty_coded = head.content_length().zip(most_of_nothing).is_some_and(|(length, most)| length <= most);
        let lacks_length = remarks.has(AnswerRemark::LengthDiffers) && !is_empty_coded;
        let is_incomplete = is_truncated || lacks_length || head.remarks.has(AnswerRemark::HeadUnended);
        if record_type == RecordType::Response && archived.is_empty() && is_incomplete {
            remarks.add(AnswerRemark::BodyMissing);
        }
        let mut current = CurrentBody::Archived(archived);
        if archived.is_empty() {
            codings.clear();
            remarks.add_if(is_chunked && !is_left_out, AnswerRemark::ChunkedAbsent);
        } else if is_chunked {
            let mut sink = Sink::new(&mut self.output, &mut work_left);
            match chunked::undo(archived, &mut sink, &mut remarks) {
                chunked::Dechunked::Absent => remarks.add(AnswerRemark::ChunkedAbsent),
                chunked::Dechunked::One(chunk) => current = CurrentBody::Archived(chunk),
                chunked::Dechunked::Written => current = CurrentBody::Output(sink.total_bytes()),
            }
        }
        while let Some(coding) = codings.pop() {
            let source = match current {
                CurrentBody::Archived(bytes) => bytes,
                CurrentBody::Output(_) => {
                    std::mem::swap(&mut self.input, &mut self.output);
                    &self.input
                }
            };
            let mut sink = Sink::new(&mut self.output, &mut work_left);
            let end = self.decoders.undo(coding, source, &mut sink, &mut remarks);
            remarks.add_end(end);
            // A body that is damaged at its start must not count as empty.
            let is_nothing = sink.total_bytes() == 0 && end != CodingEnd::Whole;
            current = match current {
                _ if end != CodingEnd::Absent && !is_nothing => CurrentBody::Output(sink.total_bytes()),
                CurrentBody::Output(total_bytes) => {
                    std::mem::swap(&mut self.input, &mut self.output);
                    CurrentBody::Output(total_bytes)
                }
                archived => archived,
            };
        }
        let (mut bytes, mut total_bytes) = match current {
            CurrentBody::Archived(bytes) => (bytes, bytes.len() as u64),
            CurrentBody::Output(total_bytes) => (&self.output[..], total_bytes),
        };
        if coding::magic::is_gzip(bytes)
            && !remarks.has(AnswerRemark::CodingDamaged)
            && !remarks.has(AnswerRemark::CodingCutShort)
        {
            remarks.add(AnswerRemark::GzipUnnamed);
        }
        if remarks.has(AnswerRemark::BodyOverWork) && total_bytes == bytes.len() as u64 {
            let whole = robots::whole_lines(bytes);
            if !whole.is_empty() {
                (bytes, total_bytes) = (whole, whole.len() as u64);
            }
        }
        if total_bytes > KEPT_BYTES as u64 {
            remarks.add(AnswerRemark::BodyOverCap);
        }
        Body { bytes: bytes.get(..KEPT_BYTES).unwrap_or(bytes), total_bytes, archived, remarks }
    }
}

/// Where the body is while it is decoded.
#[derive(Clone, Copy)]
enum CurrentBody<'a> {
    /// In the archive.
    Archived(&'a [u8]),
    /// In the buffer for output, which keeps the start of a body of this length.
    Output(u64),
}

impl AnswerRemarks {
    fn add_end(&mut self, end: CodingEnd) {
        match end {
            CodingEnd::Whole => {}
            CodingEnd::Absent => self.add(AnswerRemark::CodingAbsent),
            CodingEnd::CutShort => self.add(AnswerRemark::CodingCutShort),
            CodingEnd::Damaged => self.add(AnswerRemark::CodingDamaged),
            CodingEnd::Stopped => self.add(AnswerRemark::BodyOverWork),
        }
    }
}

/// Removes the extra CR LF that CC-MAIN-2018-34 has between head and body: commoncrawl/nutch#5, "the
/// payload includes the leading \r\n while the header value does not include it".
///
/// It is removed if the body starts with CR LF and `Content-Length` is the length of the rest. Without such a
/// `Content-Length` it is kept, since a robots.txt may start with an empty line. (In `LAB-XCRLF-2018-34`, all 246
/// responses meet both conditions. None of the 52,000 others in the corpus does.)
fn without_extra_eol<'a>(head: &Head<'_>, after: &'a [u8], remarks: &mut AnswerRemarks) -> &'a [u8] {
    match after.strip_prefix(b"\r\n") {
        Some(body) if head.content_length() == Some(body.len() as u64) => {
            remarks.add(AnswerRemark::ExtraEolRemoved);
            body
        }
        _ => after,
    }
}

/// The codings that a head names, in the order in which they were applied, except for chunked. Returns whether the body
/// is chunked, too.
///
/// RFC 9110 § 8.4: codings are listed "in the order in which they were applied". Transfer codings were applied after
/// content codings. RFC 9112 § 6.1: chunked was applied last, so it is undone first, wherever it is listed.
fn codings(head: &Head<'_>, remarks: &mut AnswerRemarks) -> (Vec<Coding>, bool) {
    let mut codings = Vec::new();
    let mut is_chunked = false;
    for field in [Field::ContentEncoding, Field::TransferEncoding] {
        for value in head.all(field) {
            for name in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
                if field == Field::TransferEncoding && name.eq_ignore_ascii_case(b"chunked") {
                    is_chunked = true;
                } else if let Some(coding) = Coding::named(name) {
                    codings.push(coding);
                    // A head may name millions.
                    codings.truncate(MOST_CODINGS + 1);
                } else if !name.is_empty() {
                    remarks.add(AnswerRemark::CodingUnknown);
                }
            }
        }
    }
    if codings.len() > MOST_CODINGS {
        remarks.add(AnswerRemark::CodingsTooMany);
        codings.clear();
    }
    (codings, is_chunked)
}
