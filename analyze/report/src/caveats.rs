//! The caveats of a question in the words of the page.

use crate::answers::ShownFigure;
use crate::glossary;
use crate::sentence::complete_sentence;
use analyze::queries::{QueryKind, find};

/// The caveats as sentences. A caveat names columns and values of the answer, which have labels on the page.
pub(crate) fn sentences(shown: &ShownFigure) -> Vec<String> {
    let columns: Vec<&str> = shown.answer.columns.iter().map(String::as_str).collect();
    let sentence = |caveat: &String| complete_sentence(&in_words(caveat, &shown.question.name, &columns));
    shown.question.header.caveats.iter().map(sentence).collect()
}

/// A text with labels in place of names from code. Names of questions and views stay.
fn in_words(text: &str, question: &str, columns: &[&str]) -> String {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_of_name) {
        let (before, name) = rest.split_at(start);
        let (name, after) = name.split_at(name.find(|letter| !is_of_name(letter)).unwrap_or(name.len()));
        words.push_str(before);
        match label(name, question, columns) {
            Some(label) => words.push_str(&format!("\u{201c}{label}\u{201d}")),
            None => words.push_str(name),
        }
        rest = after;
    }
    words + rest
}

/// The label for a name from code; `None` for a word.
fn label(name: &str, question: &str, columns: &[&str]) -> Option<String> {
    let is_query = |kind| find(kind, name).is_ok_and(|found| found.is_some());
    if !name.contains('_') || is_query(QueryKind::Question) || is_query(QueryKind::View) {
        return None;
    }
    if columns.contains(&name) {
        return Some(glossary::name_column(question, name));
    }
    let of_value = columns.iter().map(|column| glossary::name_value(column, name)).find(|label| label != name);
    Some(of_value.unwrap_or_else(|| name.replace('_', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_code_become_labels() {
        let columns = ["crawl", "conflict", "sites_root_opened", "sites_by_name"];
        let check = |text: &str, expected: &str| assert_eq!(in_words(text, "limit_effect", &columns), expected);
        check("sites_root_opened: the path / is allowed.", "“sites where / becomes allowed”: the path / is allowed.");
        check("Columns with by_name (sites_by_name) count", "Columns with “by name” (“sites by name”) count");
        check("yes_and_refused is a conflict", "“yes, and an agent for it blocked by name” is a conflict");
        check("http_vs_https shows them; so does the view crawls", "http_vs_https shows them; so does the view crawls");
    }
}
