//! How the figures came to be, and what to keep in mind with them.

use crate::answer_table::AnswerCell;
use crate::answers::ReportAnswers;
use crate::cautions::CAUTIONS;
use crate::fingerprint::Fingerprint;
use crate::formatting;
use maud::{Markup, html};

pub(super) fn html(asked: &ReportAnswers, fingerprint: &Fingerprint) -> Markup {
    html! {
        section id="methods" aria-labelledby="methods-title" {
            h2 id="methods-title" { "Methods and cautions" }
            @for paragraph in METHODS { p { (paragraph) } }
            p { "The standard is " a href="https://www.rfc-editor.org/rfc/rfc9309" { "RFC 9309" } "." }
            h3 { "What to keep in mind" }
            ul.cautions { @for caution in CAUTIONS { li { (caution) } } }
            @if asked.left_out().next().is_some() {
                h3 { "Not shown" }
                ul { @for (figure, why) in asked.left_out() { li { (figure.title) ": " (why) "." } } }
            }
            h3 { "What this was made of" }
            dl.versions {
                @for (what, version) in versions(asked, fingerprint) { dt { (what) } dd { (version) } }
            }
        }
    }
}

/// How the figures came to be.
pub(crate) const METHODS: [&str; 4] = [
    "Archives of a crawl were read record by record. Each answer to a request for robots.txt is a capture; each distinct body was parsed once, as RFC 9309 says, and what stands in it was written to tables. Redirects were followed through the captures of the same crawl, up to five times.",
    "Every figure is the answer to a named question, which is a file of SQL that stands beside this page. The page draws what was answered and computes nothing.",
    "Sites are counted, and not captures or files, unless a figure says so. The denominator stands below each figure; sites of which nothing is known are left out of it where a verdict is asked for.",
    "Names and lines of files were written by anybody. Characters that act on a screen or hide in it are shown as escapes, long texts are cut here and whole in the CSV, where a text that a spreadsheet would take for a formula has an apostrophe in front.",
];

/// The versions of everything.
pub(crate) fn versions(asked: &ReportAnswers, fingerprint: &Fingerprint) -> Vec<(String, String)> {
    let mut versions = vec![
        ("Report".to_owned(), format!("robocensus {}", env!("CARGO_PKG_VERSION"))),
        ("Engine".to_owned(), format!("DataFusion {}", datafusion::DATAFUSION_VERSION)),
    ];
    if !fingerprint.made_by.is_empty() {
        let made_by: Vec<String> = fingerprint.made_by.iter().map(|program| formatting::shorten(program)).collect();
        versions.push(("Tables".to_owned(), format!("made by {}", formatting::join_names(&made_by))));
    }
    versions.push(("Public suffix list".to_owned(), hosts::PUBLIC_SUFFIX_LIST.to_owned()));
    for row in &asked.lists.rows {
        let text = |place: usize, name: &str| {
            row.get(place).map_or(String::new(), |cell: &AnswerCell| formatting::format_cell(name, cell))
        };
        let list = format!("{} rows, the newest of {}", text(1, "rows_of_list"), text(2, "newest"));
        versions.push((format!("List of {}", text(0, "list")), list));
    }
    let digest = match &fingerprint.digest {
        Some(digest) => format!("SHA-256 {digest}, over the digests of {} files", fingerprint.files),
        None => "not known: the folder has no ledger".to_owned(),
    };
    versions.push(("Tables that were read".to_owned(), digest));
    versions
}
