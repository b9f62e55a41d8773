//! Methods, caveats and versions.

use crate::answer_table::AnswerCell;
use crate::answers::ReportAnswers;
use crate::fingerprint::Fingerprint;
use crate::formatting;
use crate::general_caveats::GENERAL_CAVEATS;
use crate::outside;
use maud::{Markup, html};

pub(super) fn render(asked: &ReportAnswers, fingerprint: &Fingerprint) -> Markup {
    html! {
        section id="methods" aria-labelledby="methods-title" {
            h2 id="methods-title" { "Methods and caveats" }
            @for paragraph in METHODS { p { (paragraph) } }
            p { "The standard is " a href="https://www.rfc-editor.org/rfc/rfc9309" { "RFC 9309" } "." }
            h3 { "Caveats" }
            ul.caveats { @for caveat in GENERAL_CAVEATS { li { (caveat) } } }
            @if asked.left_out().next().is_some() {
                h3 { "Not shown" }
                ul { @for (figure, why) in asked.left_out() { li { (figure.title) ": " (why) "." } } }
            }
            h3 { "Versions" }
            dl.versions {
                @for (what, version) in list_versions(asked, fingerprint) { dt { (what) } dd { (version) } }
            }
        }
    }
}

/// How the figures were made, a paragraph each.
pub(crate) const METHODS: [&str; 5] = [
    "The archives of a crawl were read record by record. Each answer to a request for robots.txt is a capture. Each distinct body was parsed by RFC 9309, and the result was written to tables. Up to five redirects were followed through the captures of the same crawl.",
    "Every figure shows the answer to a named question. The SQL of the question is a file beside this page. The page only draws the answer.",
    "Figures count sites, not captures or files, unless they say otherwise. The denominator (n) is below each figure. Where n is below 50, the page shows the count in place of the share, and the mark is grey: one site more or less would move the share by 2 percentage points or more. Figures on blocking omit sites without a known verdict.",
    "Whether a site blocks an agent is tested with sample paths: /, a path that no rule matches, and the pattern of each rule, with and without more after it. The agent is blocked if no path is allowed, partly blocked if only some are, and allowed if all are. A 4xx answer allows every path.",
    "Names and lines from files are shown as found, and anybody may have written them. Control and invisible characters are shown as escapes. Long texts are shortened on this page, but complete in the CSV. In the CSV, an apostrophe precedes each text that a spreadsheet would take for a formula.",
];

/// The versions of programs, lists and tables, each with its name.
pub(crate) fn list_versions(asked: &ReportAnswers, fingerprint: &Fingerprint) -> Vec<(String, String)> {
    let given = asked.shown().filter(|shown| shown.is_given).count();
    let engine = format!("DataFusion {}", datafusion::DATAFUSION_VERSION);
    let engine = match given {
        0 => engine,
        given => format!("{engine}; another engine answered {given} of {} figures", asked.shown().count()),
    };
    let mut versions =
        vec![("Report".to_owned(), format!("robocensus {}", env!("CARGO_PKG_VERSION"))), ("Engine".to_owned(), engine)];
    if !fingerprint.made_by.is_empty() {
        let made_by: Vec<String> = fingerprint.made_by.iter().map(|program| outside::shorten(program)).collect();
        versions.push(("Tables".to_owned(), format!("made by {}", formatting::join_names(&made_by))));
    }
    versions.push(("Public suffix list".to_owned(), hosts::PUBLIC_SUFFIX_LIST.to_owned()));
    for row in &asked.lists.rows {
        let text = |place: usize, name: &str| {
            row.get(place).map_or(String::new(), |cell: &AnswerCell| formatting::format_cell(name, cell))
        };
        let list = format!("{} rows, the newest checked on {}", text(1, "rows_of_list"), text(2, "newest"));
        versions.push((format!("List of {}", text(0, "list")), list));
    }
    let digest = match &fingerprint.digest {
        Some(digest) => format!("SHA-256 {digest}, over the digests of {} files", fingerprint.files),
        None => "unknown: the folder has no ledger".to_owned(),
    };
    versions.push(("Tables read".to_owned(), digest));
    versions
}

/// Sentences with numbers that the code decides.
#[test]
fn numbers_in_texts_are_those_of_the_code() {
    let few = format!("n is below {}, the page shows the count", formatting::LEAST_COUNTED);
    assert!(METHODS.iter().any(|paragraph| paragraph.contains(&few)), "{few}");
    let pages = include_str!("../../../../docs/report.md");
    let few = format!("fewer than {} sites, charts and tables show the count", formatting::LEAST_COUNTED);
    assert!(pages.contains(&few), "{few}");
}
