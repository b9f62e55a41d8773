//! The bodies that a part has seen.

use crate::secret_digest::SecretDigest;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tables::bodies::MOST_REMEMBERED_BODIES;

/// The bodies of a part, by their digests. A SHA-1 is computed only for new bodies.
#[derive(Debug)]
pub(super) struct SeenBodies {
    digest: SecretDigest,
    most: usize,
    /// By the halves of the digest and the length. A key of 128 bits would make an entry larger by half.
    ids: HashMap<[u64; 3], i64>,
}

impl Default for SeenBodies {
    fn default() -> Self {
        SeenBodies { digest: SecretDigest::default(), most: MOST_REMEMBERED_BODIES, ids: HashMap::new() }
    }
}

impl SeenBodies {
    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
    }

    /// The number of a body that was seen before. A new body gets the number `next`.
    pub(super) fn id(&mut self, body: &[u8], total_bytes: u64, next: i64) -> i64 {
        let digest = self.digest.digest(body);
        if self.ids.len() >= self.most {
            self.ids.clear();
        }
        match self.ids.entry([digest as u64, (digest >> 64) as u64, total_bytes]) {
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
