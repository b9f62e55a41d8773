//! The fields by which two readings of a record are compared.

/// The longest head in bytes that the crate gets. If its lines have three bytes, the crate takes 37 times as much memory.
pub(super) const HEAD_BYTES: usize = 1 << 20;

/// A field that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComparedField {
    /// Whether a member is undamaged, and where it ends.
    Member,
    /// Whether there is a record.
    Record,
    /// `WARC-Type`.
    Type,
    /// `WARC-Target-URI`.
    Target,
    /// The length of the block.
    BlockLength,
    /// The bytes of the block, by their digest.
    Block,
    /// The HTTP status.
    Status,
}

impl ComparedField {
    /// The name, which never changes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ComparedField::Member => "member",
            ComparedField::Record => "record",
            ComparedField::Type => "type",
            ComparedField::Target => "target",
            ComparedField::BlockLength => "block-length",
            ComparedField::Block => "block",
            ComparedField::Status => "status",
        }
    }
}

/// Whether the second reader has read a field at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldValue {
    Lost,
    Present,
}
