//! Digests in the format of archives, and record ids that depend only on the place of a record.

use data_encoding::BASE32_NOPAD;
use sha1::{Digest, Sha1};

/// The SHA-1 of bytes in base32, RFC 4648 § 6: twenty octets are thirty-two digits, without padding.
pub(crate) fn sha1_base32(bytes: &[u8]) -> String {
    BASE32_NOPAD.encode(&Sha1::digest(bytes))
}

/// A UUID of a name. RFC 9562 § 5.5: version 5 is "generated from names", by SHA-1, so it is the same every time.
pub(crate) fn uuid(name: &str) -> String {
    let digest: [u8; 20] = Sha1::digest(name.as_bytes()).into();
    let mut bits = digest.iter().take(16).fold(0u128, |bits, octet| bits << 8 | u128::from(*octet));
    bits = bits & !(0xf << 76) | 5 << 76;
    bits = bits & !(0b11 << 62) | 0b10 << 62;
    let hex = format!("{bits:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_and_names() {
        assert_eq!(sha1_base32(b""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(sha1_base32(b"abc"), "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
        assert_eq!(uuid(""), "da39a3ee-5e6b-5b0d-b255-bfef95601890");
    }
}
