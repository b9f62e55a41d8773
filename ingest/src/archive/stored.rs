//! How an archive stores its records, by its first bytes.

use super::arc;
use super::codec::{Gzip, MemberCodec, Zstd};
use super::form::{RecordForm, fillers};
use super::other_format::{DAMAGED_START_BYTES, OtherFormat};
use super::record::Record;
use super::wacz;

/// How an archive stores its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    /// In a ZIP file, which may be a WACZ.
    Zip,
    /// Without compression.
    Plain(RecordForm),
    /// In members of gzip.
    Gzip,
    /// In members of zstd.
    Zstd,
}

impl Stored {
    /// Recognises how a file stores its records, or that it is no archive, by its first `SHOWING_BYTES`. `None` if these
    /// show nothing.
    pub(crate) fn recognise(first: &[u8]) -> Result<Option<Self>, OtherFormat> {
        let start = first.get(fillers(first)..).unwrap_or_default();
        if first.starts_with(wacz::SIGNATURE) {
            Ok(Some(Stored::Zip))
        } else if RecordForm::Warc.is_start(start) {
            Ok(Some(Stored::Plain(RecordForm::Warc)))
        } else if start.starts_with(arc::FIRST_URL) {
            Ok(Some(Stored::Plain(RecordForm::Arc)))
        } else {
            let stored = Stored::after_damage(first);
            match OtherFormat::recognise(first, None) {
                // What is left of a damaged archive may start within a body.
                Some(format) if !(format.is_text() && matches!(stored, Some(Stored::Plain(_)))) => Err(format),
                _ => Ok(stored),
            }
        }
    }

    /// How a file stores its records if the first of them may be damaged. A plain record then starts before any member
    /// does, and ends where another one starts. (A damaged member may contain a record that is stored uncompressed, but
    /// other bytes follow it.) `None` if neither starts in the first `DAMAGED_START_BYTES`.
    pub(super) fn after_damage(first: &[u8]) -> Option<Self> {
        if is_member(first) {
            return Some(Stored::in_members(first));
        }
        let start = first.get(..DAMAGED_START_BYTES).unwrap_or(first);
        let member = first_member::<Gzip>(start).min(first_member::<Zstd>(start));
        let in_members = || (member < start.len()).then(|| Stored::in_members(start));
        Stored::plain_before(first, member).map(Stored::Plain).or_else(in_members)
    }

    /// The format if two uncompressed records follow each other, and the first starts before `end`.
    pub(super) fn plain_before(first: &[u8], end: usize) -> Option<RecordForm> {
        [RecordForm::Warc, RecordForm::Arc].into_iter().find(|form| has_two_records(*form, first, end))
    }

    /// Which members start first in a file that has members.
    pub(super) fn in_members(first: &[u8]) -> Self {
        // Most files start with gzip, and are not searched.
        if !Gzip::is_start(first) && first_member::<Zstd>(first) < first_member::<Gzip>(first) {
            Stored::Zstd
        } else {
            Stored::Gzip
        }
    }
}

/// Whether a record follows another one that starts before `end`.
fn has_two_records(form: RecordForm, bytes: &[u8], end: usize) -> bool {
    let mut at = 0;
    let near = bytes.get(..end.saturating_add(form.line_bytes())).unwrap_or(bytes);
    while let (Some(near), Some(rest)) = (near.get(at..), bytes.get(at..))
        && form.next_after_damage(near).is_some_and(|start| at + start < end)
        && let Some((record, taken)) = Record::read_as(form, rest)
    {
        at += taken;
        if !record.has_open_end() && bytes.get(at..).is_some_and(|after| form.is_border(after)) {
            return true;
        }
    }
    false
}

fn is_member(bytes: &[u8]) -> bool {
    Gzip::is_start(bytes) || Zstd::is_start(bytes)
}

/// The offset of the first possible start of a member; the length of the bytes if there is none.
fn first_member<C: MemberCodec>(bytes: &[u8]) -> usize {
    if C::is_start(bytes) {
        return 0;
    }
    memchr::memmem::find_iter(bytes, C::SIGNATURE)
        .find(|at| bytes.get(*at..).is_some_and(C::is_start))
        .unwrap_or(bytes.len())
}
