//! Recognises codings by their first bytes.

use crate::archive::GZIP_SIGNATURE;

pub(in crate::answer::body) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP_SIGNATURE)
}

/// RFC 8878 § 3.1: the magic number of a frame, or of a skippable frame, which may come first.
pub(super) fn is_zstd(bytes: &[u8]) -> bool {
    matches!(bytes, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// RFC 1950 § 2.2: the method is 8, the window is at most 32 KiB, no dictionary is preset, and both bytes, "when viewed
/// as a 16-bit unsigned integer stored in MSB order", are a multiple of 31.
pub(super) fn is_zlib(bytes: &[u8]) -> bool {
    let [cmf, flg, ..] = bytes else { return false };
    cmf & 0x0f == 8 && cmf >> 4 <= 7 && flg & 0x20 == 0 && u16::from_be_bytes([*cmf, *flg]).is_multiple_of(31)
}

/// Whether the first bytes are text: UTF-8 without control characters. Encoded bytes rarely look like text for long,
/// and an unencoded robots.txt nearly always does.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    const LOOK_BYTES: usize = 64;
    let look = bytes.get(..LOOK_BYTES).unwrap_or(bytes);
    let is_utf8 = match std::str::from_utf8(look) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && look.len() < bytes.len(),
    };
    is_utf8 && !look.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes() {
        assert!(is_gzip(b"\x1f\x8b\x08\x00") && !is_gzip(b"\x1f\x8b") && !is_gzip(b"User-agent"));
        assert!(is_zlib(b"\x78\x9c") && is_zlib(b"\x78\x01") && is_zlib(b"\x08\x1d") && !is_zlib(b"x"));
        assert!(!is_zlib(b"# robots") && !is_zlib(b"User-agent: *") && !is_zlib(b"\x78\xbb"));
        assert!(is_zstd(b"\x28\xb5\x2f\xfd") && is_zstd(b"\x5a\x2a\x4d\x18") && !is_zstd(b"(\xb5/"));
        assert!(is_text(b"User-agent: *\r\n\t") && is_text(b"") && is_text("caf\u{e9}".repeat(32).as_bytes()));
        assert!(!is_text(b"a\0") && !is_text(b"caf\xe9 x") && !is_text(b"caf\xc3"));
    }
}
