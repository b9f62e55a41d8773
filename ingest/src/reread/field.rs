//! What two readings of a record are compared by.

/// A head is no longer than this, or that crate is not asked: it keeps 64 bytes for each line, which may have three.
pub(super) const HEAD_BYTES: usize = 1 << 20;

/// A field that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComparedField {
    /// Whether a member is undamaged, and where it ends.
    Member,
    /// Whether a record is there.
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

/// Whether it has read anything of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldValue {
    Lost,
    There,
}
