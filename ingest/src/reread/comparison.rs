//! The result of comparing two readings of an archive.

use super::field::ComparedField;
use super::obstacle::Obstacle;
use crate::archive::{Account, Damage, Place};
use std::collections::BTreeMap;

/// How many places of each kind are listed; the rest are only counted.
pub const MOST_NAMED: usize = 20;

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
    pub unreadable: BTreeMap<Obstacle, FirstPlaces<Place>>,
    /// Records on which the readers differ.
    pub differing: u64,
    /// Records and members that only the second reader could read.
    pub surplus: u64,
    /// The fields of [`Self::differing`], and all of [`Self::surplus`].
    pub differences: FirstPlaces<Difference>,
    /// Places without a record for either reader.
    pub damaged: u64,
    /// Places with a member or record that is too large for both readers.
    pub uncompared: FirstPlaces<Damage>,
}

/// A count and the first places.
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

/// The start of a value, as text.
pub(crate) fn text(value: Option<&[u8]>) -> String {
    let Some(value) = value else { return "none".to_owned() };
    let start = value.get(..TEXT_BYTES).unwrap_or(value);
    let more = if start.len() < value.len() { "…" } else { "" };
    format!("\"{}{more}\"", start.escape_ascii())
}
