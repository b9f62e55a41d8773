//! The second reader: the crate `warc`, which no other file names.

use super::field::{ComparedField, FieldValue, HEAD_BYTES};
use super::{SecondRecord, status};
use crate::archive::Place;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warc::{RecordType, WarcHeader, WarcReader, parser};

/// A record as that crate reads it.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) record_type: String,
    pub(super) target: Option<Vec<u8>>,
    pub(super) block: Vec<u8>,
}

/// Why there is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadRefusal {
    /// It was not asked, since the head is longer than [`HEAD_BYTES`].
    HeadLong,
    /// It was not asked, since the record is longer than what there is, on which it may panic.
    LengthBeyond,
    /// It says that it cannot read the head.
    Head,
    /// It says that the record ends elsewhere.
    End,
    /// It panicked.
    Panicked,
}

/// Reads the record that `rest` begins with, and moves on behind it. `None` is the end.
pub(super) fn next(rest: &mut &[u8]) -> Result<Option<Raw>, ReadRefusal> {
    admit(rest)?;
    // What is known to make it panic is not admitted. Should there be more, it costs the member, and the process-wide
    // hook says so; that hook is not ours to exchange while other threads run.
    let read = catch_unwind(AssertUnwindSafe(|| WarcReader::new(&mut *rest).iter_raw_records().next()));
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

/// Asks that crate's own parser for the length that its reader would believe. (It adds four to that, and cuts what it
/// has read there; only a length within four of the largest number makes it panic, but none beyond `rest` can be read.)
fn admit(rest: &[u8]) -> Result<(), ReadRefusal> {
    // Its head ends behind the first line that is CR LF alone. Without one, it reads to the end and finds nothing.
    let end = if rest.starts_with(b"\r\n") { Some(0) } else { memchr::memmem::find(rest, b"\n\r\n").map(|at| at + 1) };
    let Some((head, behind)) = end.and_then(|end| rest.split_at_checked(end + 2)) else { return Ok(()) };
    if head.len() > HEAD_BYTES {
        return Err(ReadRefusal::HeadLong);
    }
    match parser::headers(head) {
        Ok((_, (_, _, length))) if length > behind.len() => Err(ReadRefusal::LengthBeyond),
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
            // A lost length is none.
            ComparedField::BlockLength => self.block.is_empty(),
            ComparedField::Member | ComparedField::Record | ComparedField::Block | ComparedField::Status => false,
        };
        if is_lost { FieldValue::Lost } else { FieldValue::There }
    }

    pub(super) fn status(&self) -> Option<u16> {
        matches!(&*self.record_type, "response" | "revisit").then(|| status::read_status(&self.block)).flatten()
    }

    pub(super) fn seen(&self, place: Place) -> SecondRecord<'_> {
        let Raw { record_type, target, block } = self;
        SecondRecord { place, record_type, target: target.as_deref(), block, status: self.status() }
    }
}
