//! Bytes of untrusted files as text for the tables.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf_8() {
        let check = |bytes: &[u8], text: &str| assert_eq!(TextBuffer::default().decode(bytes), text, "{bytes:?}");
        check(b"", "");
        check("/caf\u{e9}".as_bytes(), "/caf\u{e9}");
        check(b"/caf\xe9/x", "/caf\u{fffd}/x");
        check(b"\xff\x0a", "\u{fffd}\n");
        check(b"\xe2\x82", "\u{fffd}");
    }
}
