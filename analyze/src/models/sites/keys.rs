//! Addresses and digests as hashes of 128 bits.

use siphasher::sip128::{Hasher128 as _, SipHasher13};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A hash of an address or a digest.
pub(super) type AddressHash = [u64; 2];

/// Half of a hash.
pub(super) type HalfHash = u64;

pub(super) fn half([half, _]: AddressHash) -> HalfHash {
    half
}

/// The key of the hash.
pub(super) struct HashKeys(u64, u64);

impl Default for HashKeys {
    fn default() -> Self {
        let random = RandomState::new();
        HashKeys(random.hash_one(0_u8), random.hash_one(1_u8))
    }
}

impl HashKeys {
    pub(super) fn key(&self, text: &str) -> AddressHash {
        let mut hasher = SipHasher13::new_with_keys(self.0, self.1);
        hasher.write(text.as_bytes());
        let hash = hasher.finish128();
        [hash.h1, hash.h2]
    }
}
