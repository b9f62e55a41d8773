//! Bytes of untrusted files as the text that a table can hold.

use std::borrow::Cow;

/// A text in the making, with memory that serves one after another.
#[derive(Debug, Default)]
pub(super) struct TextBuffer {
    replaced: String,
}

impl TextBuffer {
    /// Gives back memory that only a body takes that was built to take it.
    pub(super) fn shrink(&mut self) {
        const KEPT_BYTES: usize = 1 << 20;
        self.replaced.clear();
        self.replaced.shrink_to(KEPT_BYTES);
    }

    /// The bytes as text; what is no UTF-8 is replaced by U+FFFD.
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

/// The bytes as text; what is no UTF-8 is percent-encoded, so that a pattern stays the pattern that it is.
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
    fn what_is_no_utf_8() {
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
