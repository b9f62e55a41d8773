//! What two readings of an archive have in common, and what not.

use super::obstacle::Obstacle;
use crate::archive::{Account, Damage, Place};
use std::collections::BTreeMap;

/// So many places are named of each kind; the others are counted.
pub const MOST_NAMED: usize = 20;

/// So much of a value is told.
const TEXT_BYTES: usize = 200;

/// Two readings of an archive: `records = agreed + differing`, and the sum of what is `unreadable`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// What the first reader says of the archive.
    pub account: Account,
    /// Members with records that were inflated twice; none where the archive holds its records as they are.
    pub members: u64,
    /// Records that the first reader found.
    pub records: u64,
    /// Those that the second reader found to be the same.
    pub agreed: u64,
    /// Those that it cannot read, or not rightly, by what keeps it from that.
    pub unreadable: BTreeMap<Obstacle, FirstPlaces<Place>>,
    /// Those in which the readers differ.
    pub differing: u64,
    /// Records and members that the second reader alone could read.
    pub surplus: u64,
    /// The fields of [`Self::differing`], and all of [`Self::surplus`].
    pub differences: FirstPlaces<Difference>,
    /// Places that hold no record for either reader.
    pub damaged: u64,
    /// Places where a member or record is larger than either reader takes.
    pub uncompared: FirstPlaces<Damage>,
}

/// A number of things, the first of which are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstPlaces<T> {
    /// How many.
    pub count: u64,
    /// At most [`MOST_NAMED`] of them.
    pub first: Vec<T>,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where the record stands.
    pub place: Place,
    /// In what.
    pub field: ComparedField,
    /// What the first reader says. Bytes that are no printable ASCII are escaped, here and in the next.
    pub ours: String,
    /// What the second reader says.
    pub theirs: String,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComparedField {
    /// Whether a member is whole, and where it ends.
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
    /// The stable name.
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

impl Comparison {
    /// Whether the readers differ nowhere, but for what the second one cannot read.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences.count == 0
    }

    /// How many records the second reader cannot read.
    #[must_use]
    pub fn unreadable_records(&self) -> u64 {
        self.unreadable.values().map(|places| places.count).sum()
    }

    pub(super) fn differ(&mut self, place: Place, field: ComparedField, ours: String, theirs: String) {
        self.differences.add(Difference { place, field, ours, theirs });
    }
}

impl<T> FirstPlaces<T> {
    pub(super) fn add(&mut self, one: T) {
        self.count += 1;
        if self.first.len() < MOST_NAMED {
            self.first.push(one);
        }
    }
}

impl<T> Default for FirstPlaces<T> {
    fn default() -> Self {
        FirstPlaces { count: 0, first: Vec::new() }
    }
}

/// The begin of a value, as text.
pub(crate) fn text(value: Option<&[u8]>) -> String {
    let Some(value) = value else { return "none".to_owned() };
    let begin = value.get(..TEXT_BYTES).unwrap_or(value);
    let more = if begin.len() < value.len() { "…" } else { "" };
    format!("\"{}{more}\"", begin.escape_ascii())
}
