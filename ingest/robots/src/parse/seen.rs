//! Was this path, or this name, seen before? Few files ask it often, and some ask it 400,000 times.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

/// Up to here, looking through all is faster than a table.
const FEW: usize = 12;

/// A set of byte strings that live elsewhere, each known by its index there.
///
/// The hash is keyed by chance, so that no file can be built to make it slow; and since it only says where to look,
/// and the bytes themselves are compared, chance has no part in the answers.
#[derive(Debug, Default, Clone)]
pub(crate) struct Seen {
    state: RandomState,
    entries: Vec<Entry>,
    /// Places in `entries`, plus one; a power of two of them, at most half of them taken. Empty while they are few.
    table: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    index: u32,
    marks: u8,
}

impl Seen {
    /// Forgets all.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.table.clear();
    }

    /// Notes that `bytes` stand at `index`, with a mark. Returns where they stood first, and the marks they had.
    ///
    /// `is_same` tells whether the bytes at an index are the same as these.
    #[inline]
    pub(crate) fn note(
        &mut self,
        bytes: &[u8],
        index: u32,
        mark: u8,
        is_same: impl Fn(u32) -> bool,
    ) -> Option<(u32, u8)> {
        let hash = self.state.hash_one(bytes);
        if self.table.is_empty() {
            // Not `position`: a loop without an early end is what the compiler can do several at a time.
            let mut any = false;
            for entry in &self.entries {
                any |= entry.hash == hash;
            }
            if any && let Some(entry) = self.entries.iter_mut().find(|entry| entry.hash == hash && is_same(entry.index))
            {
                return Some(entry.mark(mark));
            }
            self.entries.push(Entry { hash, index, marks: mark });
            if self.entries.len() > FEW {
                self.grow();
            }
            return None;
        }
        self.note_in_table(hash, index, mark, is_same)
    }

    fn note_in_table(&mut self, hash: u64, index: u32, mark: u8, is_same: impl Fn(u32) -> bool) -> Option<(u32, u8)> {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(slot) = self.table.get_mut(at) {
            match self.entries.get_mut((*slot as usize).wrapping_sub(1)) {
                Some(entry) if entry.hash == hash && is_same(entry.index) => return Some(entry.mark(mark)),
                Some(_) => at = (at + 1) & mask,
                None => {
                    self.entries.push(Entry { hash, index, marks: mark });
                    *slot = self.entries.len() as u32;
                    break;
                }
            }
        }
        if self.entries.len() * 2 > self.table.len() {
            self.grow();
        }
        None
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 4).next_power_of_two();
        let mask = size - 1;
        self.table.clear();
        self.table.resize(size, 0);
        for (place, entry) in self.entries.iter().enumerate() {
            let mut at = entry.hash as usize & mask;
            while let Some(slot) = self.table.get_mut(at) {
                if *slot == 0 {
                    *slot = place as u32 + 1;
                    break;
                }
                at = (at + 1) & mask;
            }
        }
    }
}

impl Entry {
    fn mark(&mut self, mark: u8) -> (u32, u8) {
        let before = self.marks;
        self.marks |= mark;
        (self.index, before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many() {
        for count in [1usize, FEW, FEW + 1, 1_000] {
            let names: Vec<String> = (0..count).map(|name| format!("/{name}")).collect();
            let mut seen = Seen::default();
            for round in 0..2 {
                for (index, name) in names.iter().enumerate() {
                    let found =
                        seen.note(name.as_bytes(), index as u32, 1 << round, |other| names[other as usize] == *name);
                    assert_eq!(found, (round == 1).then_some((index as u32, 1)), "{name} of {count}");
                }
            }
            seen.clear();
            assert_eq!(seen.note(b"/0", 0, 1, |_| true), None);
        }
    }
}
