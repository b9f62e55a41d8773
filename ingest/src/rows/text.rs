//! Bytes of untrusted files as text for the tables.

use std::borrow::Cow;

/// Memory for decoded text, reused between texts.
#[derive(Debug, Default)]
pub(super) struct TextBuffer {
    replaced: String,
}

impl TextBuffer {
    /// Frees memory beyond 1 MiB. Only a malicious body needs more.
    pub(super) fn shrink(&mut self) {
        const KEPT_BYTES: usize = 1 << 20;
        self.replaced.clear();
        self.replaced.shrink_to(KEPT_BYTES);
    }

    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    pub(super) fn decode<'t>(&'t mut self, bytes: &'t [u8]) -> &'t str {
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                self.replaced.clear();
                self.replaced.push_str(&String::from_utf8_lossy(bytes));
                &self.replaced
            }
        }
    }
}

/// The bytes as text; what is not UTF-8 is percent-encoded, so that a pattern keeps its meaning.
pub(super) fn percent_encoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push('%');
            text.extend(
                [byte >> 4, byte & 15]
                    .iter()
                    .filter_map(|digit| char::from_digit(u32::from(*digit), 16))
                    .map(|digit| digit.to_ascii_uppercase()),
            );
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf_8() {
        let check = |bytes: &[u8], replaced: &str, encoded: &str| {
            assert_eq!(TextBuffer::default().decode(bytes), replaced, "{bytes:?}");
            assert_eq!(percent_encoded(bytes), encoded, "{bytes:?}");
        };
        check(b"", "", "");
        check("/caf\u{e9}".as_bytes(), "/caf\u{e9}", "/caf\u{e9}");
        check(b"/caf\xe9/x", "/caf\u{fffd}/x", "/caf%E9/x");
        check(b"\xff\x0a", "\u{fffd}\n", "%FF\n");
        check(b"\xe2\x82", "\u{fffd}", "%E2%82");
    }
}
