//! Short names, such as media types, without an allocation.

/// A short name of printable ASCII in lower case, such as a media type, stored without allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortName {
    bytes: [u8; ShortName::BYTES],
    length: u8,
}

impl ShortName {
    /// How many bytes of a name are kept. No registered media type, charset or coding is longer.
    pub const BYTES: usize = 127;

    /// A value as a name, without white space and quotes around it. `None` if it is empty or has bytes other than
    /// printable ASCII.
    pub(super) fn new(value: &[u8]) -> Option<ShortName> {
        let value = value.trim_ascii();
        let value = value.strip_prefix(b"\"").map_or(value, |value| value.strip_suffix(b"\"").unwrap_or(value));
        let value = value.trim_ascii();
        let value = value.get(..ShortName::BYTES).unwrap_or(value);
        if value.is_empty() || !value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return None;
        }
        let mut name = ShortName { bytes: [0; ShortName::BYTES], length: u8::try_from(value.len()).ok()? };
        for (to, from) in name.bytes.iter_mut().zip(value) {
            *to = from.to_ascii_lowercase();
        }
        Some(name)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.bytes.get(..usize::from(self.length)).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl std::fmt::Debug for ShortName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}
