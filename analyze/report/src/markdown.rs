//! The report as Markdown, with its charts as files.

use crate::answers::{FigureOutcome, ReportAnswers, ShownFigure};
use crate::captions;
use crate::caveats;
use crate::chart::{self, DrawError};
use crate::denominators;
use crate::drawing::{Drawing, DrawnChart};
use crate::figure_text;
use crate::findings;
use crate::fingerprint::Fingerprint;
use crate::formatting::NO_BREAK;
use crate::general_caveats::GENERAL_CAVEATS;
use crate::outside;
use crate::page::{self, parts};
use crate::report_folder::{MARK, chart_file, data_file, sql_file};
use analyze::output::{self, AnswerFormat, Manner, escape_markdown};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use maud::{PreEscaped, html};
use std::collections::BTreeMap;
use std::sync::Arc;
use visible::Safe;

/// The file name of the Markdown page.
pub(crate) const NAME: &str = "report.md";

/// Writes the page and its charts.
pub(crate) fn write(
    asked: &ReportAnswers,
    fingerprint: &Fingerprint,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), DrawError> {
    let mut page =
        format!("<!-- {MARK} -->\n\n# {}\n\n{}\n\n", escape(&asked.title), escape(&page::describe_report(asked)));
    for (crawl, dates) in page::list_dates(asked) {
        page.push_str(&format!("- {}: {dates}\n", escape(&crawl)));
    }
    let found = findings::find(asked);
    if !found.is_empty() {
        page.push_str("\n## Key findings\n\n");
        if let Some(sentence) = page::name_crawl_of_findings(asked) {
            page.push_str(&format!("{}\n\n", escape(&sentence)));
        }
        for finding in found {
            page.push_str(&format!("- {}\n", escape(&finding.sentence)));
        }
    }
    page.push_str(&format!("\n{}\n\n", escape(&page::name_key_figures(asked))));
    for (name, number) in page::list_key_figures(asked) {
        page.push_str(&format!("- {number} {name}\n"));
    }
    for (section, outcomes) in &asked.sections {
        let shown: Vec<&ShownFigure> = outcomes.iter().filter_map(FigureOutcome::shown).collect();
        if shown.is_empty() {
            continue;
        }
        page.push_str(&format!("\n## {}\n\n{}\n", section.title, section.lead));
        for shown in shown {
            write_figure(shown, asked, &mut page, files)?;
        }
    }
    write_methods(asked, fingerprint, &mut page);
    files.insert(NAME.to_owned(), page.into_bytes());
    Ok(())
}

fn write_figure(
    shown: &ShownFigure,
    asked: &ReportAnswers,
    page: &mut String,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), DrawError> {
    let figure = shown.figure;
    let id = figure.id;
    page.push_str(&format!("\n### {}\n\n", figure.title));
    page.push_str(&format!("{}\n\n", figure_text::write_question(shown)));
    let mut chart = |name: &str, title: &str, drawn: &DrawnChart, page: &mut String| {
        page.push_str(&format!("![{}]({})\n\n", escape(title), chart_file(name)));
        files.insert(chart_file(name), write_svg(drawn, title).into_bytes());
    };
    let mut extent = String::new();
    match &Drawing::draw(shown, &asked.crawl_days)? {
        Drawing::Table if !shown.answer.rows.is_empty() => {}
        Drawing::Table | Drawing::Nothing => {
            page.push_str(&format!("{}\n\n", escape(&captions::explain_absence(shown))));
        }
        Drawing::Sentence(sentence) => page.push_str(&format!("{}\n\n", escape(sentence))),
        Drawing::Ambiguous => page.push_str(&format!("{}\n\n", captions::AMBIGUOUS)),
        Drawing::One(charts) => {
            let [wide, _] = &**charts;
            chart(id, figure.title, wide, page);
            page.push_str(&format!("{}\n\n", escape(&wide.description)));
            let more =
                [Some(&wide.remarks), wide.extent.as_ref()].into_iter().flatten().filter(|text| !text.is_empty());
            extent = more.map(|text| format!(" {}", escape(text))).collect();
        }
        Drawing::Panels(panels, shown) => {
            let remark = panels.iter().map(|(_, panel)| &panel.remarks).find(|remark| !remark.is_empty());
            extent = remark.into_iter().chain(shown).map(|text| format!(" {}", escape(text))).collect();
            for (nth, (name, panel)) in panels.iter().enumerate() {
                let words = [Some(&panel.description), panel.extent.as_ref()].into_iter().flatten();
                let words: Vec<String> = words.map(|text| escape(text)).collect();
                page.push_str(&format!("**{}** {}\n\n", escape(name), words.join(" ")));
                chart(&format!("{id}-{nth}"), &format!("{}: {name}", figure.title), panel, page);
            }
        }
    }
    let denominator: String = [denominators::name_crawls(shown), denominators::describe_denominator(shown)]
        .into_iter()
        .flatten()
        .map(|text| format!("{}. ", escape(&text)))
        .collect();
    page.push_str(&format!("{denominator}{}{extent}\n\n", escape(figure.definition)));
    page.push_str(&format_table(shown));
    page.push_str(&format!("\nCommand with the same answer:\n\n    {}\n", Safe(shown.command.as_bytes())));
    page.push_str(&format!("\n[CSV]({}), [SQL]({})\n", data_file(id), sql_file(id)));
    for caveat in caveats::sentences(shown, asked) {
        page.push_str(&format!("\n- {}", escape(&caveat)));
    }
    page.push_str(if shown.question.header.caveats.is_empty() { "" } else { "\n" });
    Ok(())
}

/// The first rows of a figure as a Markdown table.
fn format_table(shown: &ShownFigure) -> String {
    let answer = &shown.answer;
    let columns = parts::select_columns(shown.figure, answer);
    let rows = answer.rows.len().min(shown.figure.rows);
    if rows == 0 || columns.is_empty() {
        return String::new();
    }
    let column = |(_, name): &(usize, &str)| {
        let text = |row| {
            outside::without_isolates(&figure_text::format_in_row(shown.figure, answer, row, name))
                .replace(NO_BREAK, " ")
        };
        let cells = answer.rows.iter().take(rows).map(|row| Some(text(row)));
        (figure_text::name_heading(shown.figure, name), Arc::new(StringArray::from_iter(cells)) as ArrayRef, true)
    };
    let manner = Manner::plain(AnswerFormat::Markdown);
    let mut text = Vec::new();
    // This cannot fail: all columns have the same length, and the table is written to memory.
    let written = RecordBatch::try_from_iter_with_nullable(columns.iter().map(column)).map(|batch| {
        output::start_answer(manner, &batch.schema(), &mut text)
            .and_then(|mut out| out.write(&batch).and_then(|()| out.finish()))
    });
    let mut text =
        if matches!(written, Ok(Ok(()))) { String::from_utf8_lossy(&text).into_owned() } else { String::new() };
    if let Some(extent) = captions::describe_rows(rows, answer.rows.len()) {
        text.push_str(&format!("\n{extent}\n"));
    }
    text
}

fn write_methods(asked: &ReportAnswers, fingerprint: &Fingerprint, page: &mut String) {
    page.push_str("\n## Methods and caveats\n\n");
    for paragraph in parts::METHODS {
        page.push_str(&format!("{}\n\n", escape(paragraph)));
    }
    page.push_str("The standard is [RFC 9309](https://www.rfc-editor.org/rfc/rfc9309).\n\n### Caveats\n\n");
    for caveat in GENERAL_CAVEATS {
        page.push_str(&format!("- {}\n", escape(caveat)));
    }
    if asked.left_out().next().is_some() {
        page.push_str("\n### Not shown\n\n");
        for (figure, why) in asked.left_out() {
            page.push_str(&format!("- {}: {why}.\n", figure.title));
        }
    }
    page.push_str("\n### Versions\n\n");
    for (what, version) in parts::list_versions(asked, fingerprint) {
        page.push_str(&format!("- {}: {}\n", escape(&what), escape(&version)));
    }
}

/// The SVG file of a chart.
fn write_svg(drawn: &DrawnChart, title: &str) -> String {
    let DrawnChart { chart, description, .. } = drawn;
    let (width, height) = (chart.width, chart.height);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) font-family="system-ui, sans-serif" role="img" aria-labelledby="name words" {
            title id="name" { (title) }
            desc id="words" { (description) }
            (PreEscaped(format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>")))
            @if chart.shapes.contains("url(#") { (chart::definitions()) }
            (PreEscaped(&chart.shapes))
        }
    }
    .into_string()
}

/// Escapes a text. No-break spaces become spaces, because the escaping would make them visible. Characters that isolate a
/// name stay.
fn escape(text: &str) -> String {
    outside::between_isolates(text, |text| escape_markdown(&text.replace(NO_BREAK, " ")))
}
