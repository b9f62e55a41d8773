//! The caveats of a question in the words of the page.

use crate::answers::{ReportAnswers, ShownFigure};
use crate::contents::FigureSpec;
use crate::figure_text;
use crate::glossary;
use crate::sentence::{capitalise, complete_sentence};
use analyze::queries::{QueryKind, find};

/// The caveats of a figure's question, in the words of the page. Headers of questions name columns, values and
/// questions as their files do.
pub(crate) fn sentences(shown: &ShownFigure, asked: &ReportAnswers) -> Vec<String> {
    let figures: Vec<_> = asked.shown().map(|shown| shown.figure).collect();
    let reword = |caveat: &String| complete_sentence(&reword(caveat, shown.figure, &figures));
    shown.question.header.caveats.iter().map(reword).collect()
}

/// A text with labels in place of codes. `page` has the figures of the page.
fn reword(text: &str, figure: &FigureSpec, page: &[&FigureSpec]) -> String {
    let ends_word = |character: char| !(character.is_ascii_alphanumeric() || "_-./".contains(character));
    let mut reworded = String::new();
    for piece in text.split_inclusive(ends_word) {
        let word = piece.trim_end_matches(ends_word);
        // A full stop after a word ends the sentence.
        let code = word.trim_end_matches('.');
        let after = piece.strip_prefix(code).unwrap_or_default();
        let words = match reword_code(code, figure, page) {
            Some(words) if reworded.ends_with(". ") => capitalise(&words),
            Some(words) => words,
            None => figure_text::name_counted(figure, code),
        };
        reworded.push_str(&words);
        reworded.push_str(after);
    }
    reworded
}

/// The words for a code; `None` for a word that is no code.
fn reword_code(word: &str, figure: &FigureSpec, page: &[&FigureSpec]) -> Option<String> {
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
        return Some(match page.iter().find(|figure| figure.question == word) {
            Some(figure) => quote(figure.title),
            None => format!("{} (not on this page)", quote(&other.header.title)),
        });
    }
    Some(quote(&figure_text::name_column(figure, word)))
}

#[cfg(test)]
mod tests {
    use super::reword;
    use crate::contents::figure;

    /// A table that counts hosts has hosts in its headings, and its caveats are about hosts. The titles of other figures
    /// stay.
    #[test]
    fn caveats_count_what_the_table_counts() {
        let caveat = "sites_newly_blocked_by_name count sites. Sites count once; see panel_change.";
        let of_hosts = "\u{201c}hosts newly blocking it, named\u{201d} count hosts. Hosts count once; see ";
        let title = "\u{201c}Changes of sites between the last two crawls\u{201d}";
        let panel = [figure("panel_change")];
        assert_eq!(reword(caveat, figure("policy_flips"), &panel), format!("{of_hosts}{title}."));
        assert_eq!(reword("Sites count.", figure("limit_effect"), &[]), "Sites count.");
    }

    #[test]
    fn codes_become_labels() {
        for (text, expected) in [
            (
                "sites_gaining_root allow the path /; see policy_flips.",
                "\u{201c}sites where / becomes allowed\u{201d} allow the path /; see \u{201c}Agents newly blocked and no longer blocked\u{201d}.",
            ),
            // The page has the names of definitions, too.
            ("d1 and no-location", "d1 and \u{201c}no target named\u{201d}"),
            (
                "docs/violations.md explains file-html",
                "the page on violations in the documentation explains \u{201c}web page in place of robots.txt\u{201d}",
            ),
            (
                "Columns with by_name count CC-MAIN-2023-50.",
                "Columns with \u{201c}by name\u{201d} count CC-MAIN-2023-50.",
            ),
            (
                "A record may have several. docs/reasons.md explains each.",
                "A record may have several. The page on reasons in the documentation explains each.",
            ),
            ("www. hosts, crawl-delay and user-agent", "www. hosts, crawl-delay and user-agent"),
        ] {
            assert_eq!(reword(text, figure("limit_effect"), &[figure("policy_flips")]), expected);
        }
    }

    /// A reader cannot find the figure of a question that the page does not ask.
    #[test]
    fn a_question_that_is_not_on_the_page_is_marked() {
        assert_eq!(
            reword("See policy_flips.", figure("limit_effect"), &[]),
            "See \u{201c}Agents that sites started or stopped blocking\u{201d} (not on this page)."
        );
    }
}
