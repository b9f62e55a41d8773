//! The result of comparing two readings of an archive.

use super::field::ComparedField;
use super::obstacle::Obstacle;
use crate::archive::{Account, Cause, Place};
use std::collections::BTreeMap;

/// How many bytes of a value are shown.
const TEXT_BYTES: usize = 200;

/// Two readings of an archive: `records = agreed + differing +` the sum of `unreadable`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// The sums of the first reader.
    pub account: Account,
    /// Members with records that were inflated twice; 0 for an archive of uncompressed records.
    pub members: u64,
    /// Records that the first reader found.
    pub records: u64,
    /// Records on which both readers agree.
    pub agreed: u64,
    /// Records that the second reader cannot read correctly, by obstacle.
    pub unreadable: BTreeMap<Obstacle, CountAndFirst<Place>>,
    /// Records on which the readers differ.
    pub differing: u64,
    /// Records and members that only the second reader could read.
    pub surplus: u64,
    /// The fields of [`Self::differing`], and all of [`Self::surplus`].
    pub differences: Option<CountAndFirst<Difference>>,
    /// Places without a record for either reader.
    pub damaged: u64,
    /// Damage that was not compared, by cause: the second reader does not get such bytes, such a record or such an
    /// archive.
    pub uncompared: BTreeMap<Cause, CountAndFirst<Place>>,
}

/// A count and the first of those that were counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountAndFirst<T> {
    /// How many.
    pub count: u64,
    /// The first.
    pub first: T,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The place of the record.
    pub place: Place,
    /// The field.
    pub field: ComparedField,
    /// The value of the first reader. Bytes that are not printable ASCII are escaped, here and in `theirs`.
    pub ours: String,
    /// The value of the second reader.
    pub theirs: String,
}

impl Comparison {
    /// Whether the readers agree on everything that the second can read.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences.is_none()
    }

    pub(super) fn uncompared(&mut self, cause: Cause, place: Place) {
        self.uncompared.entry(cause).or_insert(CountAndFirst { count: 0, first: place }).count += 1;
    }

    pub(super) fn differ(&mut self, place: Place, field: ComparedField, ours: String, theirs: String) {
        let first = Difference { place, field, ours, theirs };
        self.differences.get_or_insert(CountAndFirst { count: 0, first }).count += 1;
    }
}

/// The start of a value, as text.
pub(crate) fn text(value: Option<&[u8]>) -> String {
    let Some(value) = value else { return "none".to_owned() };
    let start = value.get(..TEXT_BYTES).unwrap_or(value);
    let more = if start.len() < value.len() { "…" } else { "" };
    format!("\"{}{more}\"", start.escape_ascii())
}
