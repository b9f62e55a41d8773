//! The report as an HTML page.

mod figure;
mod methods;
mod style;

use crate::answer_table::AnswerCell;
use crate::answers::{FigureOutcome, ReportAnswers};
use crate::chart::{self, DrawError};
use crate::denominators;
use crate::findings;
use crate::fingerprint::Fingerprint;
use crate::formatting;
use crate::outside;
use crate::report_folder::MARK;
use crate::sentence::inflect;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

/// Parts that the Markdown report shares.
pub(crate) mod parts {
    pub(crate) use super::figure::select_columns;
    pub(crate) use super::methods::{METHODS, list_versions};
}

/// The file name of the HTML page.
pub const NAME: &str = "index.html";

/// The script that sorts and filters tables. Without it, the page shows the same content.
const SCRIPT: &str = include_str!("page/script.js");

/// The whole page.
pub(crate) fn render(asked: &ReportAnswers, fingerprint: &Fingerprint) -> Result<String, DrawError> {
    let style = style::write();
    let title = outside::shorten(&asked.title);
    let mut sections = Vec::new();
    for (section, outcomes) in &asked.sections {
        let mut figures = Vec::new();
        for shown in outcomes.iter().filter_map(FigureOutcome::shown) {
            figures.push(figure::render(shown, asked)?);
        }
        if !figures.is_empty() {
            sections.push(html! {
                section id=(section.id) aria-labelledby=(format!("{}-title", section.id)) {
                    h2 id=(format!("{}-title", section.id)) { (section.title) }
                    p.lead { (section.lead) }
                    @for figure in &figures { (figure) }
                }
            });
        }
    }
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(write_policy(&style));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(MARK);
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#content" { "Skip to the figures" }
                svg.hidden aria-hidden="true" { (chart::definitions()) }
                header.top {
                    p.kicker { "robocensus report" }
                    h1 { (title) }
                    p.about { (describe_report(asked)) }
                    (lay_out_dates(asked))
                    (lay_out_findings(asked))
                    (lay_out_key_figures(asked))
                }
                div.columns {
                    nav aria-label="Contents" { (lay_out_contents(asked)) }
                    main id="content" tabindex="-1" {
                        @for section in &sections { (section) }
                        (methods::render(asked, fingerprint))
                    }
                }
                footer { p { "Made by robocensus " (env!("CARGO_PKG_VERSION")) ". Files beside this page have the data of every figure as CSV, and its SQL." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}

/// A content security policy that allows the one style and the one script of the page, and nothing else.
fn write_policy(style: &str) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(style),
        digest(SCRIPT)
    )
}

/// Describes what the report is about, and what "blocked" means if a figure uses the exact definition.
pub(crate) fn describe_report(asked: &ReportAnswers) -> String {
    let about = match asked.crawls.as_slice() {
        [] => "The tables contain no crawl.".to_owned(),
        [one] => {
            format!(
                "What the robots.txt files of the crawl {one} say to crawlers, which agents they block, and whether they follow RFC 9309."
            )
        }
        many => {
            let first = many.first().map_or("", String::as_str);
            let last = many.last().map_or("", String::as_str);
            format!(
                "What robots.txt files say to crawlers, which agents they block, and whether they follow RFC 9309. The report covers {} crawls, from {first} to {last}. Figures on one crawl show {}.",
                many.len(),
                asked.crawl
            )
        }
    };
    let has_blocking = asked.shown().any(|shown| shown.value("definition") == Some("exact"));
    let blocked =
        if has_blocking { " A site blocks an agent if its rules allow the agent no path at all." } else { "" };
    let unfinished = match asked.parts_left {
        0 => String::new(),
        1 => " The tables are not finished: one part of the archives is not read yet.".to_owned(),
        parts => format!(" The tables are not finished: {parts} parts of the archives are not read yet."),
    };
    format!("{about}{blocked}{unfinished}")
}

/// Each crawl with the first and the last day of its captures. If there are many crawls, only the first and the last
/// crawl.
pub(crate) fn list_dates(asked: &ReportAnswers) -> Vec<(String, String)> {
    const MOST: usize = 12;
    let date = |row: &[AnswerCell], column: &str| {
        let place = asked.read.column_index(column)?;
        match row.get(place)? {
            AnswerCell::Text(time) => formatting::format_date(time),
            _ => None,
        }
    };
    let dates = asked.read.rows.iter().filter_map(|row| {
        let crawl = formatting::format_column(&asked.read, row, "crawl")?;
        let text = match (date(row, "first_day"), date(row, "last_day")) {
            (Some(first), Some(last)) if first == last => first,
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => "no capture has a date".to_owned(),
        };
        Some((crawl, text))
    });
    let dates: Vec<_> = dates.collect();
    match dates.as_slice() {
        [first, .., last] if dates.len() > MOST => vec![first.clone(), last.clone()],
        _ => dates,
    }
}

fn lay_out_dates(asked: &ReportAnswers) -> Markup {
    html! {
        dl.dates { @for (crawl, dates) in list_dates(asked) { div { dt { (crawl) } dd { (dates) } } } }
    }
}

fn lay_out_findings(asked: &ReportAnswers) -> Markup {
    let found = findings::find(asked);
    html! {
        @if !found.is_empty() {
            section.findings id="findings" aria-labelledby="findings-title" {
                h2 id="findings-title" { "Key findings" }
                @if let Some(sentence) = name_crawl_of_findings(asked) { p { (sentence) } }
                ul { @for finding in &found {
                    li { (outside::mark_up(&finding.sentence)) " " a href=(format!("#{}", finding.figure.id)) { (finding.figure.title) } }
                } }
            }
        }
    }
}

/// Which crawl a finding is about that names none; `None` if there is only one crawl.
pub(crate) fn name_crawl_of_findings(asked: &ReportAnswers) -> Option<String> {
    (asked.crawls.len() > 1).then(|| format!("Findings that name no crawl are about {}.", asked.crawl))
}

/// The heading of the key figures.
pub(crate) fn name_key_figures(asked: &ReportAnswers) -> String {
    format!("The crawl {} in numbers", asked.crawl)
}

/// Key figures of the report's crawl, each a label and a number.
pub(crate) fn list_key_figures(asked: &ReportAnswers) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    let read = |column: &str| {
        let row = asked.read.rows.iter().find(|row| asked.read.cell(row, "crawl").is_text(&asked.crawl));
        row.and_then(|row| formatting::format_column(&asked.read, row, column))
    };
    for (column, name) in [("archives", "archives"), ("captures", "captures"), ("sites", "sites")] {
        let name_of = |number: &str| if number == "1" { name.trim_end_matches('s') } else { name }.to_owned();
        keys.extend(read(column).map(|number| (name_of(&number), number)));
    }
    for (figure, column, value, number, (sites, verb, what)) in [
        ("access_overview", "outcome", "rules", "share", ("captured sites", "have", "a robots.txt with rules")),
        ("ai_overview", "stratum", "all", "share_by_name", ("sites that answered", "block", "an AI agent by name")),
        (
            "violation_tiers",
            "tier",
            "none",
            "share",
            ("sites whose file was read", "follow", "the grammar to the letter"),
        ),
    ] {
        let shown = asked.shown().find(|shown| shown.figure.id == figure);
        keys.extend(shown.and_then(|shown| {
            let answer = &shown.answer;
            let of_crawl = |row: &&Vec<AnswerCell>| {
                answer.cell(row, "crawl").is_text(&asked.crawl) && answer.cell(row, column).is_text(value)
            };
            let row = answer.rows.iter().find(of_crawl)?;
            let find = |column: &str| answer.cell(row, column).number();
            Some(match (find(number)?, find(shown.figure.denominator(number))) {
                // Without "of", since the count has it.
                (share, Some(all)) if all < formatting::LEAST_COUNTED => {
                    let verb = inflect(verb, (share * all).round() == 1.0);
                    let sites = denominators::name_unit(sites, all);
                    (format!("{sites} {verb} {what}"), formatting::format_count_of(share, all))
                }
                _ => (format!("of {sites} {verb} {what}"), formatting::format_column(answer, row, number)?),
            })
        }));
    }
    keys
}

fn lay_out_key_figures(asked: &ReportAnswers) -> Markup {
    html! {
        p.keys-title { (name_key_figures(asked)) }
        dl.keys {
            @for (name, number) in list_key_figures(asked) {
                div { dt { (name) } dd { (number) } }
            }
        }
    }
}

fn lay_out_contents(asked: &ReportAnswers) -> Markup {
    html! {
        details open {
            summary { "Contents" }
            ol {
                @for (section, outcomes) in &asked.sections {
                    @if outcomes.iter().any(|outcome| outcome.shown().is_some()) {
                        li {
                            a href=(format!("#{}", section.id)) { (section.title) }
                            ol {
                                @for shown in outcomes.iter().filter_map(FigureOutcome::shown) {
                                    li { a href=(format!("#{}", shown.figure.id)) { (shown.figure.title) } }
                                }
                            }
                        }
                    }
                }
                li { a href="#methods" { "Methods and caveats" } }
            }
        }
    }
}
