//! What a walk over an archive finds, and the sums of it.

use super::record::Record;
use crate::marks::catalogue;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'b> {
    /// A record, and where it stands.
    Record(Record<'b>, Place),
    /// Bytes that hold none.
    Damage(Damage),
}

/// Where a record stands: the member that holds it, or the record itself in a file without members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file.
    pub length: u64,
    /// How many records stand before it in the same member; Common Crawl's members hold one each.
    pub index: u32,
}

/// Bytes that hold no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file.
    pub offset: u64,
    /// Length in the file.
    pub length: u64,
    /// What they are, by what they begin with.
    pub cause: Cause,
}

catalogue! {
    /// Why bytes hold no record.
    Cause {
        Garbage "garbage"
            "they begin no member and no record",
        MemberDamaged "member-damaged"
            "a member begins there that is cut short, or whose data, length or checksum are wrong",
        TooLarge "too-large"
            "a member or record begins there that holds more than 64 MiB",
        NoRecord "no-record"
            "a member is whole, and no record is in it",
        RecordCut "record-cut"
            "the file ends within a record",
    }
}

/// The bytes of an archive: `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of members that are whole, empty ones among them, and of records in a file without members.
    pub good_bytes: u64,
    /// All others.
    pub damaged_bytes: u64,
    /// Members that are whole.
    pub members: u64,
    /// Members that are whole and hold nothing.
    pub empty_members: u64,
    /// Records.
    pub records: u64,
    /// Bytes behind the last record of a member, inflated.
    pub stray_bytes: u64,
}
