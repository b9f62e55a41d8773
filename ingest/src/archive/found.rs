//! The records and damage that a walk over an archive finds, and their totals.

use super::record::Record;
use crate::reasons::catalogue;

/// A record, or bytes without a readable record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOrDamage<'b> {
    /// A record and its place.
    Record(Record<'b>, Place),
    /// Bytes without a readable record, or a record that is too large.
    Damage(Damage),
}

/// The place of a record: its member, all its members if it spans several, or the record itself in a file without
/// members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file.
    pub length: u64,
    /// How many records start before it in the same member. In Common Crawl's archives, each member contains one
    /// record.
    pub index: u32,
}

/// Bytes without a readable record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file. It is 0 for a record in a member that is too large: the bytes of the member count as good,
    /// and the offset is that of the member. The same is true of [`Cause::Stray`]. It is also 0 for
    /// [`Cause::EntryDiffers`].
    pub length: u64,
    /// Why they have no readable record; the first bytes decide.
    pub cause: Cause,
}

catalogue! {
    /// Why bytes have no readable record.
    Cause {
        Garbage "garbage"
            "neither a member nor a record starts there",
        MemberDamaged "member-damaged"
            "a member starts there that is cut short or has wrong data, length or checksum",
        WindowTooLarge "window-too-large"
            "a zstd frame starts there that asks for a window of more than 32 MiB of memory, as `zstd --long` and `zstd \
             --ultra -21` write it; it is not read: compress the archive again without these options",
        TooLarge "too-large"
            "a record starts there that is longer than 64 MiB, inflated; it is skipped, and reading continues after it",
        NoRecord "no-record"
            "a member is not damaged but contains no whole record",
        Stray "stray-bytes"
            "a member is not damaged, but not all of its content is records: a record in it may be unreadable; the bytes \
             of the member count as good",
        CompressedTwice "compressed-twice"
            "a member is not damaged but contains members instead of records; they are not read",
        ArchiveEmpty "archive-empty"
            "the archive or every member in it is empty",
        EntryCompressed "entry-compressed"
            "an archive in a WACZ is compressed by ZIP; it is not read",
        EntryDiffers "entry-differs"
            "an archive in a WACZ has another size or checksum than the ZIP directory says, or is not listed there; it is \
             read, and its records are marked",
        RecordCut "record-cut"
            "a record starts there that is cut short, or whose head is damaged",
    }
}

impl Cause {
    /// Whether such damage takes no bytes: they are counted as good, or by what was read there.
    #[must_use]
    pub fn has_no_bytes(self) -> bool {
        matches!(self, Cause::Stray | Cause::ArchiveEmpty | Cause::EntryDiffers)
    }
}

/// The bytes of an archive: `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of undamaged members that contain records or are empty, and of records in a file without members.
    pub good_bytes: u64,
    /// All other bytes.
    pub damaged_bytes: u64,
    /// Undamaged members.
    pub members: u64,
    /// Records that were passed on.
    pub records: u64,
    /// Records that were too large. In an undamaged member, their bytes count as good.
    pub large_records: u64,
}
