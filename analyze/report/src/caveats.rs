//! The caveats of a question in the words of the page.

use crate::answers::ShownFigure;
use crate::glossary;
use crate::sentence::complete_sentence;
use analyze::queries::{QueryKind, find};

/// The caveats of a figure's question, in the words of the page. Headers of questions name columns, values and
/// questions as their files do.
pub(crate) fn sentences(shown: &ShownFigure) -> Vec<String> {
    let reword = |caveat: &String| complete_sentence(&reword(caveat, shown.figure.question));
    shown.question.header.caveats.iter().map(reword).collect()
}

/// A text with labels in place of codes.
fn reword(text: &str, question: &str) -> String {
    let ends_word = |character: char| !(character.is_ascii_alphanumeric() || "_-./".contains(character));
    let reword_word = |piece: &str| {
        let word = piece.trim_end_matches(ends_word);
        // A full stop after a word ends the sentence.
        let code = word.trim_end_matches('.');
        let after = piece.strip_prefix(code).unwrap_or_default();
        format!("{}{after}", reword_code(code, question).unwrap_or_else(|| code.to_owned()))
    };
    text.split_inclusive(ends_word).map(reword_word).collect()
}

/// The words for a code; `None` for a word that is no code.
fn reword_code(word: &str, question: &str) -> Option<String> {
    if word == "agents.csv" {
        return Some("the list of agents".to_owned());
    }
    if let Some(page) = word.strip_prefix("docs/").and_then(|page| page.strip_suffix(".md")) {
        return Some(format!("the page on {page} in the documentation"));
    }
    let quote = |label: &str| format!("\u{201c}{label}\u{201d}");
    if let Some(label) = glossary::name_code(word) {
        return Some(quote(label));
    }
    if !word.contains('_') {
        return None;
    }
    if let Ok(Some(other)) = find(QueryKind::Question, word) {
        return Some(quote(&other.header.title));
    }
    Some(quote(&glossary::name_column(question, word)))
}

#[cfg(test)]
mod tests {
    use super::reword;

    #[test]
    fn codes_become_labels() {
        for (text, expected) in [
            (
                "sites_gaining_root allow the path /; see policy_flips.",
                "\u{201c}sites where / becomes allowed\u{201d} allow the path /; see \u{201c}Agents that sites started or stopped blocking\u{201d}.",
            ),
            ("d1 and no-location", "\u{201c}named\u{201d} and \u{201c}no target named\u{201d}"),
            (
                "docs/violations.md explains file-html",
                "the page on violations in the documentation explains \u{201c}web page in place of robots.txt\u{201d}",
            ),
            (
                "Columns with by_name count CC-MAIN-2023-50.",
                "Columns with \u{201c}by name\u{201d} count CC-MAIN-2023-50.",
            ),
            ("www. hosts, crawl-delay and user-agent", "www. hosts, crawl-delay and user-agent"),
        ] {
            assert_eq!(reword(text, "limit_effect"), expected);
        }
    }
}
