//! The bodies that a part has seen.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, RandomState};
use tables::bodies::MOST_REMEMBERED_BODIES;
use twox_hash::XxHash3_128;

/// The bodies of a part, by a digest of 128 bits.
///
/// The digest takes a tenth of the time of SHA-1, which is computed only for new bodies. It has a random secret, so
/// nobody can make two bodies with the same digest. The tables do not depend on the secret: with every secret, the same
/// bodies are distinct.
#[derive(Debug)]
pub(super) struct SeenBodies {
    secret: Vec<u8>,
    most: usize,
    ids: HashMap<(u128, u64), i64>,
}

impl Default for SeenBodies {
    fn default() -> Self {
        const WORDS: usize = 24;
        let secret = (0..WORDS).flat_map(|word| RandomState::new().hash_one(word).to_le_bytes()).collect();
        SeenBodies { secret, most: MOST_REMEMBERED_BODIES, ids: HashMap::new() }
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
        if self.ids.len() >= self.most {
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
    fn bodies_are_forgotten_together() {
        let mut seen = SeenBodies { most: 2, ..SeenBodies::default() };
        assert_eq!(
            [(b"a", 1), (b"b", 2), (b"a", 3), (b"b", 4), (b"a", 5)].map(|(body, id)| seen.id(body, 1, id)),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(seen.id(b"b", 1, 6), 6);
    }

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
