//! Untrusted texts, which anybody may have written.

use maud::{Markup, html};
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

/// Starts and ends a text with a direction of its own: FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. Texts from files
/// never have them, since they are escaped there.
const ISOLATES: [char; 2] = ['\u{2068}', '\u{2069}'];

/// A text that is written from right to left in part, isolated from the text around it. Otherwise, numbers and names
/// after it would change their places.
pub(crate) fn isolate(text: String) -> String {
    let [start, end] = ISOLATES;
    if text.chars().any(is_right_to_left) { format!("{start}{text}{end}") } else { text }
}

/// Whether a character is in a block of Unicode that is written from right to left.
fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// A sentence with its isolated texts as elements.
pub(crate) fn mark_up(sentence: &str) -> Markup {
    let [start, end] = ISOLATES;
    let mut pieces = sentence.split(start);
    let before = pieces.next().unwrap_or_default();
    let isolated = pieces.map(|piece| piece.split_once(end).unwrap_or((piece, "")));
    html! { (before) @for (text, after) in isolated { bdi { (text) } (after) } }
}

/// A text that stands alone, and needs no isolation.
pub(crate) fn without_isolates(text: &str) -> String {
    text.replace(ISOLATES, "")
}

/// Applies a function to the text between isolating characters.
pub(crate) fn between_isolates(text: &str, escape: impl Fn(&str) -> String) -> String {
    let piece = |piece: &str| {
        let text = piece.trim_end_matches(ISOLATES);
        format!("{}{}", escape(text), piece.get(text.len()..).unwrap_or_default())
    };
    text.split_inclusive(ISOLATES).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_right_to_left_are_isolated() {
        let (plain, hebrew) = (isolate("GPTBot".to_owned()), isolate("\u{5e9}\u{5dc}\u{5d5}\u{5dd} <1>".to_owned()));
        assert_eq!(plain, "GPTBot");
        let sentence = format!("{hebrew} and {plain}: 5 of {hebrew}.");
        assert_eq!(
            mark_up(&sentence).into_string(),
            "<bdi>\u{5e9}\u{5dc}\u{5d5}\u{5dd} &lt;1&gt;</bdi> and GPTBot: 5 of <bdi>\u{5e9}\u{5dc}\u{5d5}\u{5dd} &lt;1&gt;</bdi>."
        );
        assert_eq!(without_isolates(&hebrew), "\u{5e9}\u{5dc}\u{5d5}\u{5dd} <1>");
        assert_eq!(
            between_isolates(&format!("a {hebrew}"), str::to_uppercase),
            "A \u{2068}\u{5e9}\u{5dc}\u{5d5}\u{5dd} <1>\u{2069}"
        );
        assert_eq!(shorten(&hebrew).matches(ISOLATES).count(), 0);
    }

    #[test]
    fn texts_are_escaped_and_cut() {
        assert_eq!(shorten("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(shorten(&"x".repeat(1 << 20)).chars().count(), TEXT_CHARACTERS + 1);
    }
}
