//! The bodies that a part has seen.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, RandomState};
use twox_hash::XxHash3_128;

/// How many bodies are remembered: as many as fit in a hash table of 2^20 slots, about 40 MB. A part of Common Crawl's
/// archives has a tenth of that. Beyond this number, the table starts empty again, so memory stays bounded.
const MOST_BODIES: usize = (1 << 20) / 8 * 7;

/// The bodies of a part, by a digest of 128 bits.
///
/// The digest takes a tenth of the time of SHA-1, which is computed only for new bodies. It has a random secret, so
/// nobody can make two bodies with the same digest. The tables do not depend on the secret: with every secret, the same
/// bodies are distinct.
#[derive(Debug)]
pub(super) struct SeenBodies {
    secret: Vec<u8>,
    ids: HashMap<(u128, u64), i64>,
}

impl Default for SeenBodies {
    fn default() -> Self {
        const WORDS: usize = 24;
        let secret = (0..WORDS).flat_map(|word| RandomState::new().hash_one(word).to_le_bytes()).collect();
        SeenBodies { secret, ids: HashMap::new() }
    }
}

impl SeenBodies {
    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
    }

    /// The number of a body that was seen before. A new body gets the number `next`.
    pub(super) fn id(&mut self, body: &[u8], total_bytes: u64, next: i64) -> i64 {
        let digest = XxHash3_128::oneshot_with_secret(&self.secret, body).unwrap_or_default();
        if self.ids.len() >= MOST_BODIES {
            self.ids.clear();
        }
        match self.ids.entry((digest, total_bytes)) {
            Entry::Occupied(seen) => *seen.get(),
            Entry::Vacant(new) => *new.insert(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_differ_by_bytes_and_length() {
        let mut seen = SeenBodies::default();
        assert_eq!(seen.id(b"", 0, 1), 1);
        assert_eq!(seen.id(b"a", 1, 2), 2);
        assert_eq!(seen.id(b"", 0, 3), 1);
        assert_eq!(seen.id(b"a", 2, 3), 3);
        assert_eq!(seen.id(&[0; 1_000], 1_000, 4), 4);
        assert_eq!(seen.id(&[0; 1_001], 1_001, 5), 5);
        seen.clear();
        assert_eq!(seen.id(b"a", 1, 6), 6);
    }
}
