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
    /// The hash of a digest. Base32 has upper-case letters (RFC 4648 § 6), but some archives have lower-case ones.
    pub(super) fn digest_key(&self, digest: &str) -> AddressHash {
        match digest.bytes().any(|byte| byte.is_ascii_lowercase()) {
            true => self.key(&digest.to_ascii_uppercase()),
            false => self.key(digest),
        }
    }

    pub(super) fn key(&self, text: &str) -> AddressHash {
        let mut hasher = SipHasher13::new_with_keys(self.0, self.1);
        hasher.write(text.as_bytes());
        let hash = hasher.finish128();
        [hash.h1, hash.h2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_in_any_case() {
        let keys = HashKeys::default();
        assert_eq!(keys.digest_key("vgmt4nsha2"), keys.digest_key("VGMT4NSHA2"));
        assert_ne!(keys.digest_key("vgmt4nsha2"), keys.digest_key("VGMT4NSHA3"));
    }
}
