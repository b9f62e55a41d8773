//! What a walk over an archive finds, and the sums of it.

use super::record::Record;
use crate::reasons::catalogue;

/// A record, or bytes that hold no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOrDamage<'b> {
    /// A record, and where it stands.
    Record(Record<'b>, Place),
    /// Bytes that hold no record, or a record that is too large.
    Damage(Damage),
}

/// Where a record stands: the member that holds it, the members if it goes on over several, or the record itself in a file
/// without members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file.
    pub length: u64,
    /// How many records begin before it in the same member; Common Crawl's members hold one each.
    pub index: u32,
}

/// Bytes that hold no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file. It is zero for a record too large inside a member, whose bytes are good, and whose offset this
    /// is then.
    pub length: u64,
    /// Why, by what they start with.
    pub cause: Cause,
}

catalogue! {
    /// Why bytes hold no record.
    Cause {
        Garbage "garbage"
            "neither a member nor a record starts there",
        MemberDamaged "member-damaged"
            "a member starts there, and it is cut short, or its data, length or checksum is wrong",
        TooLarge "too-large"
            "a record starts there that is longer than 64 MiB, inflated; it is skipped, and reading goes on after it",
        NoRecord "no-record"
            "a member is not damaged and holds no record",
        CompressedTwice "compressed-twice"
            "a member is not damaged and holds members; they are not read",
        NothingHeld "nothing-held"
            "the archive is empty, or its members are",
        EntryCompressed "entry-compressed"
            "an archive within a WACZ is compressed by ZIP; it is not read",
        RecordCut "record-cut"
            "the file ends within a record",
    }
}

/// The bytes of an archive: `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of undamaged members that hold records or nothing, and of records in a file without members.
    pub good_bytes: u64,
    /// All other bytes.
    pub damaged_bytes: u64,
    /// Undamaged members.
    pub members: u64,
    /// Undamaged members that are empty.
    pub empty_members: u64,
    /// Records that were handed out.
    pub records: u64,
    /// Records that were too large. In an undamaged member their bytes are not damaged.
    pub large_records: u64,
    /// Inflated bytes of members that belong to no record: those after the last record, and those before a record that are
    /// too many to be part of it.
    pub stray_bytes: u64,
}
