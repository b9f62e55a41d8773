//! Finds paths and names that occurred before in a file. Most files need few look-ups, but some need 400,000.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;

/// Up to this number of entries, a linear search is faster than a table.
const FEW: usize = 64;
const WORDS: usize = 8;

/// A set of byte strings. They are stored elsewhere; the set has the index of each.
///
/// The hash has a random key, so no file can be built to make it slow. Results do not depend on the key, because the
/// byte strings themselves are compared.
#[derive(Debug, Clone)]
pub(crate) struct SeenSet {
    count: usize,
    /// A Bloom filter of the fingerprints: if the bit of a fingerprint is not set, the bytes are new.
    bits: [u64; WORDS],
    /// The first [`FEW`] entries and their fingerprints, for the linear search.
    fingerprints: [u32; FEW],
    few: [SeenEntry; FEW],
    /// All entries with their hashes, once there are more than [`FEW`].
    many: HashTable<(u64, SeenEntry)>,
    state: RandomState,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeenEntry {
    index: u32,
    marks: u8,
}

impl Default for SeenSet {
    fn default() -> Self {
        SeenSet {
            count: 0,
            bits: [0; WORDS],
            fingerprints: [0; FEW],
            few: [SeenEntry::default(); FEW],
            many: HashTable::new(),
            state: RandomState::default(),
        }
    }
}

impl SeenSet {
    /// Removes everything.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.bits = [0; WORDS];
        // Emptying a table takes as long as it is large, and a file may have many groups after a large one.
        self.many = HashTable::new();
    }

    /// Adds bytes, which are stored at `index`, with a mark. If they were in the set already, returns the index of
    /// their first occurrence and the marks that they had.
    #[inline(always)]
    pub(crate) fn note<'b>(
        &mut self,
        bytes: &[u8],
        index: u32,
        mark: u8,
        bytes_of: impl Fn(u32) -> &'b [u8],
    ) -> Option<(u32, u8)> {
        let fingerprint = fingerprint(bytes);
        let bit = 1 << (fingerprint % 64);
        let word = self.bits.get_mut((fingerprint / 64) as usize % WORDS)?;
        let may_be_here = *word & bit != 0;
        *word |= bit;
        let (Some(slot), Some(entry)) = (self.fingerprints.get_mut(self.count), self.few.get_mut(self.count)) else {
            return self.note_in_table(bytes, index, mark, bytes_of);
        };
        *slot = fingerprint;
        *entry = SeenEntry { index, marks: mark };
        if may_be_here && let Some(found) = self.mark_among_few(fingerprint, bytes, mark, bytes_of) {
            return Some(found);
        }
        self.count += 1;
        None
    }

    #[inline(never)]
    fn mark_among_few<'b>(
        &mut self,
        fingerprint: u32,
        bytes: &[u8],
        mark: u8,
        bytes_of: impl Fn(u32) -> &'b [u8],
    ) -> Option<(u32, u8)> {
        let mut entries = self.fingerprints.iter().zip(&mut self.few).take(self.count);
        let (_, entry) = entries.find(|(other, entry)| **other == fingerprint && bytes_of(entry.index) == bytes)?;
        Some(entry.mark(mark))
    }

    #[inline(never)]
    fn note_in_table<'b>(
        &mut self,
        bytes: &[u8],
        index: u32,
        mark: u8,
        bytes_of: impl Fn(u32) -> &'b [u8],
    ) -> Option<(u32, u8)> {
        if self.many.is_empty() {
            self.many.reserve(2 * FEW, |(hash, _)| *hash);
            for entry in self.few {
                let hash = self.state.hash_one(bytes_of(entry.index));
                self.many.insert_unique(hash, (hash, entry), |(hash, _)| *hash);
            }
        }
        let hash = self.state.hash_one(bytes);
        let is_same = |(other, entry): &(u64, SeenEntry)| *other == hash && bytes_of(entry.index) == bytes;
        match self.many.entry(hash, is_same, |(hash, _)| *hash) {
            Entry::Occupied(mut found) => Some(found.get_mut().1.mark(mark)),
            Entry::Vacant(free) => {
                free.insert((hash, SeenEntry { index, marks: mark }));
                None
            }
        }
    }
}

impl SeenEntry {
    fn mark(&mut self, mark: u8) -> (u32, u8) {
        let before = self.marks;
        self.marks |= mark;
        (self.index, before)
    }
}

/// A fast hash of the length and the first and last eight bytes, in which most paths differ.
#[inline(always)]
fn fingerprint(bytes: &[u8]) -> u32 {
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |ends, &byte| ends << 8 | u64::from(byte)), 0),
    };
    // The upper half of a product depends on all bits of both factors; the lower half depends on their lower bits only.
    let length = bytes.len() as u64;
    let product =
        u128::from(first ^ 0x9e37_79b9_7f4a_7c15) * u128::from((last ^ 0xd1b5_4a32_d192_ed03).wrapping_add(length));
    ((product >> 64) as u64 ^ product as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many() {
        for count in [1usize, FEW, FEW + 1, 1_000] {
            // The second half repeats the first. Names of one length differ in the middle only and share a fingerprint.
            let names: Vec<String> = (0..2 * count).map(|name| format!("/aaaaaaa{}zzzzzzzz", name % count)).collect();
            let mut seen = SeenSet::default();
            for index in 0..names.len() {
                let bytes_of = |index: u32| names[index as usize].as_bytes();
                let found = seen.note(bytes_of(index as u32), index as u32, 1, bytes_of);
                assert_eq!(found, (index >= count).then(|| ((index - count) as u32, 1)), "{index} of {count}");
            }
            seen.clear();
            assert_eq!(seen.note(b"/", 0, 2, |_| b"/"), None);
            assert_eq!(seen.note(b"/", 1, 1, |_| b"/"), Some((0, 2)));
            assert_eq!(seen.note(b"/", 2, 1, |_| b"/"), Some((0, 3)));
        }
    }
}
