//! Texts as sentences.

/// The text with its first letter in upper case.
pub(crate) fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    first + letters.as_str()
}

/// The text with a capital letter and a full stop.
pub(crate) fn complete_sentence(text: &str) -> String {
    capitalise(text) + if text.ends_with('.') { "" } else { "." }
}
