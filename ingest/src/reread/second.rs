//! The second reader: the crate `warc`. Only this file uses it.

use super::field::{ComparedField, FieldValue, HEAD_BYTES};
use super::status;
use crate::archive::Place;
use crate::panics::quietly;
use warc::{RecordType, WarcHeader, WarcReader, parser};

/// A record as the second reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondRecord<'b> {
    /// Its place, by the first reader, since the second has no offsets.
    pub place: Place,
    /// `WARC-Type` in lower case; empty if missing.
    pub record_type: &'b str,
    /// `WARC-Target-URI` as written, without white space around it.
    pub target: Option<&'b [u8]>,
    /// The block.
    pub block: &'b [u8],
    /// The status of a `response` or `revisit`, by the second reader.
    pub status: Option<u16>,
}

/// A record as the crate reads it.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) record_type: String,
    pub(super) target: Option<Vec<u8>>,
    pub(super) block: Vec<u8>,
}

/// Why the second reader returned no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadRefusal {
    /// It was not called, since the head is longer than [`HEAD_BYTES`].
    HeadLong,
    /// It was not called, since the length exceeds the bytes, on which it may panic.
    LengthBeyond,
    /// It cannot read the head.
    Head,
    /// It found another end of the record.
    End,
    /// It panicked.
    Panicked,
}

/// Reads the record at the start of `rest`, and moves `rest` after it. `None` at the end.
pub(super) fn next(rest: &mut &[u8]) -> Result<Option<Raw>, ReadRefusal> {
    admit(rest)?;
    // `admit` rejects everything that is known to make it panic. Another panic loses the rest of the member.
    let read = quietly(|| WarcReader::new(&mut *rest).iter_raw_records().next());
    let (head, block) = match read.map_err(|_| ReadRefusal::Panicked)? {
        None => return Ok(None),
        Some(Ok(record)) => record,
        Some(Err(warc::Error::ReadOverflow | warc::Error::UnexpectedEOB)) => return Err(ReadRefusal::End),
        Some(Err(_)) => return Err(ReadRefusal::Head),
    };
    let header = |name: &WarcHeader| head.as_ref().get(name).map(|value| value.trim_ascii());
    let written_type = header(&WarcHeader::WarcType).unwrap_or_default();
    let target = header(&WarcHeader::TargetURI);
    Ok(Some(Raw {
        record_type: RecordType::from(String::from_utf8_lossy(written_type)).to_string(),
        target: target.map(<[u8]>::to_vec),
        block,
    }))
}

/// Fails for a length beyond `rest`, by the crate's own parser. (The crate's reader adds four to the length and cuts
/// the bytes there. It panics only if that overflows, but cannot read any length beyond `rest`.)
fn admit(rest: &[u8]) -> Result<(), ReadRefusal> {
    // For the crate, a head ends after the first line that is only CR LF. Without such a line, it finds no record.
    let end = if rest.starts_with(b"\r\n") { Some(0) } else { memchr::memmem::find(rest, b"\n\r\n").map(|at| at + 1) };
    let Some((head, after)) = end.and_then(|end| rest.split_at_checked(end + 2)) else { return Ok(()) };
    if head.len() > HEAD_BYTES {
        return Err(ReadRefusal::HeadLong);
    }
    match parser::headers(head) {
        Ok((_, (_, _, length))) if length > after.len() => Err(ReadRefusal::LengthBeyond),
        _ => Ok(()),
    }
}

impl ReadRefusal {
    pub(super) fn text(self) -> &'static str {
        match self {
            ReadRefusal::HeadLong => "a head that is too long",
            ReadRefusal::LengthBeyond => "a length beyond the member",
            ReadRefusal::Head => "a head that cannot be read",
            ReadRefusal::End => "another end of the record",
            ReadRefusal::Panicked => "a panic",
        }
    }
}

impl Raw {
    pub(super) fn value(&self, field: ComparedField) -> FieldValue {
        let is_lost = match field {
            ComparedField::Type => self.record_type.is_empty(),
            ComparedField::Target => self.target.is_none(),
            // Without a length, it reads an empty block.
            ComparedField::BlockLength => self.block.is_empty(),
            ComparedField::Member | ComparedField::Record | ComparedField::Block | ComparedField::Status => false,
        };
        if is_lost { FieldValue::Lost } else { FieldValue::Present }
    }

    pub(super) fn status(&self) -> Option<u16> {
        matches!(&*self.record_type, "response" | "revisit").then(|| status::read_status(&self.block)).flatten()
    }

    pub(super) fn seen(&self, place: Place) -> SecondRecord<'_> {
        let Raw { record_type, target, block } = self;
        SecondRecord { place, record_type, target: target.as_deref(), block, status: self.status() }
    }
}
