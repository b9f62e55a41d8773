//! What a walk over an archive finds, and the sums of it.

use super::record::Record;
use crate::marks::catalogue;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOrDamage<'b> {
    /// A record, and where it stands.
    Record(Record<'b>, Place),
    /// Bytes that hold none, or none that can be handed out.
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
    /// Length in the file. It is zero for a record too large inside a member, whose bytes are good, and whose offset this
    /// is then.
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
            "a record begins there that takes more than 64 MiB, inflated; it is passed over, and not what is behind it",
        NoRecord "no-record"
            "a member is whole, and no record is in it; members may be, if the file was compressed twice",
        RecordCut "record-cut"
            "the file ends within a record",
    }
}

/// The bytes of an archive: `bytes = good_bytes + damaged_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of members that are whole and hold records or nothing, and of records in a file without members.
    pub good_bytes: u64,
    /// All others.
    pub damaged_bytes: u64,
    /// Members that are whole.
    pub members: u64,
    /// Members that are whole and hold nothing.
    pub empty_members: u64,
    /// Records that were handed out.
    pub records: u64,
    /// Records that were not, being too large. In a member that is whole they are no damage to its bytes.
    pub large_records: u64,
    /// Bytes of members that belong to no record, inflated: those behind the last, and what is too much to be put down to
    /// the record behind it.
    pub stray_bytes: u64,
}
