//! Untrusted texts, which anybody may have written.

use visible::Safe;

/// The greatest length of a text that is shown, in characters. Longer texts are cut.
const TEXT_CHARACTERS: usize = 200;

/// An untrusted text, escaped and cut. The CSV has the whole text.
pub(crate) fn shorten(text: &str) -> String {
    let end = text.char_indices().nth(TEXT_CHARACTERS).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(beginning) => format!("{}\u{2026}", Safe(beginning.as_bytes())),
        None => Safe(text.as_bytes()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_cut() {
        assert_eq!(shorten("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(shorten(&"x".repeat(1 << 20)).chars().count(), TEXT_CHARACTERS + 1);
    }
}
