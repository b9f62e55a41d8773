//! A figure of the HTML page: chart, caption, data and SQL.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::answers::{ReportAnswers, ShownFigure};
use crate::captions;
use crate::caveats;
use crate::chart::DrawError;
use crate::contents::FigureSpec;
use crate::denominators;
use crate::drawing::{Drawing, DrawnChart};
use crate::figure_text;
use crate::outside;
use crate::report_folder::{data_file, sql_file};
use maud::{Markup, PreEscaped, html};

pub(super) fn render(shown: &ShownFigure, asked: &ReportAnswers) -> Result<Markup, DrawError> {
    let figure = shown.figure;
    let id = figure.id;
    let drawing = Drawing::draw(shown, &asked.crawl_days)?;
    let is_table = matches!(drawing, Drawing::Table);
    Ok(html! {
        figure id=(id) aria-labelledby=(format!("{id}-title")) {
            h3 id=(format!("{id}-title")) {
                (figure.title)
                a.permalink href=(format!("#{id}")) { "#" span.hidden { " Link to: " (figure.title) } }
            }
            p.question { (figure_text::write_question(shown)) }
            @match &drawing {
                Drawing::Table => (if shown.answer.rows.is_empty() { render_absence(shown) } else { html! {} }),
                Drawing::Nothing => (render_absence(shown)),
                Drawing::Sentence(sentence) => p.statement { (outside::mark_up(sentence)) },
                Drawing::Ambiguous => p.nothing { (captions::AMBIGUOUS) },
                Drawing::One(charts) => {
                    @let [wide, narrow] = &**charts;
                    div.chart {
                        (render_svg(wide, &format!("{id}-wide"), "wide", figure.title))
                        (render_svg(narrow, &format!("{id}-narrow"), "narrow", figure.title))
                    }
                },
                Drawing::Panels(panels, _) => div.panels {
                    @for (nth, (name, chart)) in panels.iter().enumerate() {
                        div.panel {
                            h4 { (outside::mark_up(name)) }
                            (render_svg(chart, &format!("{id}-{nth}"), "every", &format!("{}: {name}", figure.title)))
                            @if let Some(extent) = &chart.extent { p.more { (extent) } }
                        }
                    }
                },
            }
            @if is_table && !shown.answer.rows.is_empty() { (render_table(shown)) }
            figcaption {
                @if let Some(crawls) = denominators::name_crawls(shown) { span.count { (crawls) ". " } }
                @if let Some(denominator) = denominators::describe_denominator(shown) { span.count { (denominator) ". " } }
                (figure.definition)
                (render_extent(&drawing))
            }
            div.more-of-it {
            @match &drawing {
                Drawing::One(charts) => {
                    @let [wide, _] = &**charts;
                    details.words { summary { "Description" } p { (outside::mark_up(&wide.description)) } }
                },
                Drawing::Panels(panels, _) => details.words {
                    summary { "Description" }
                    @for (name, chart) in panels {
                        p { b { (outside::mark_up(name)) } " " (outside::mark_up(&chart.description)) }
                    }
                },
                Drawing::Table | Drawing::Nothing | Drawing::Sentence(_) | Drawing::Ambiguous => {},
            }
            @if !is_table && !shown.answer.rows.is_empty() {
                details.data { summary { "Data" } (render_table(shown)) }
            }
            details.sql {
                summary { "SQL" }
                p { "Command with the same answer: " code { (show_text(&shown.command)) } }
                pre tabindex="0" role="region" aria-label=(format!("SQL of: {}", figure.title)) {
                    code { (show_lines(&shown.sql)) }
                }
            }
            @if !shown.question.header.caveats.is_empty() {
                details.caveats {
                    summary { "Caveats" }
                    ul { @for caveat in caveats::sentences(shown, asked) { li { (caveat) } } }
                }
            }
            p.files {
                a href=(data_file(id)) { "CSV" span.hidden { " of: " (figure.title) } }
                " "
                a href=(sql_file(id)) { "SQL file" span.hidden { " of: " (figure.title) } }
            }
            }
        }
    })
}

/// Explains marks, and how much of the answer the chart shows on a wide and on a narrow screen.
fn render_extent(drawing: &Drawing) -> Markup {
    let charts = match drawing {
        Drawing::One(charts) => charts,
        Drawing::Panels(panels, extent) => {
            let remark = panels.iter().map(|(_, chart)| &chart.remarks).find(|remark| !remark.is_empty());
            return html! { @for text in remark.into_iter().chain(extent) { " " (text) } };
        }
        Drawing::Table | Drawing::Nothing | Drawing::Sentence(_) | Drawing::Ambiguous => return html! {},
    };
    let [wide, narrow] = charts.each_ref().map(|chart| chart.extent.as_deref());
    let remarks = charts.first().map_or("", |chart| chart.remarks.as_str());
    html! {
        @if !remarks.is_empty() { " " (remarks) }
        @if wide == narrow {
            @if let Some(extent) = wide { " " (extent) }
        } @else {
            @for (class, extent) in [("wide", wide), ("narrow", narrow)] {
                @if let Some(extent) = extent { span class=(class) { " " (extent) } }
            }
        }
    }
}

fn render_absence(shown: &ShownFigure) -> Markup {
    html! { p.statement { (captions::explain_absence(shown)) } }
}

/// A statement with its line ends. All other control and invisible characters are escaped.
fn show_lines(sql: &str) -> String {
    sql.lines().map(show_text).collect::<Vec<_>>().join("\n")
}

fn show_text(text: &str) -> String {
    visible::Safe(text.as_bytes()).to_string()
}

/// The class of the cells of a column. `raw` is text from files, which may be one long word.
fn style_cell(column: &str, is_numeric: bool) -> Option<&'static str> {
    match column {
        "code" => Some("code"),
        "host" | "host_name" => Some("host"),
        "crawl" | "first_crawl" => Some("whole"),
        "commonest_value" | "example" | "line" | "name" | "spelling" | "value" => Some("raw"),
        _ => is_numeric.then_some("number"),
    }
}

/// A host name that a narrow column breaks after dots, as it does after hyphens, and nowhere else.
fn break_after_dots(host: &str) -> Markup {
    let labels = host.split_inclusive('.').enumerate();
    html! { @for (nth, label) in labels { @if nth > 0 { wbr; } (label) } }
}

fn render_svg(drawn: &DrawnChart, id: &str, class: &str, title: &str) -> Markup {
    let DrawnChart { chart, description, .. } = drawn;
    let (name, words) = (format!("{id}-name"), format!("{id}-words"));
    html! {
        svg class=(class) viewBox=(format!("0 0 {} {}", chart.width, chart.height)) role="img" aria-labelledby=(format!("{name} {words}")) {
            title id=(name) { (title) }
            desc id=(words) { (description) }
            (PreEscaped(&chart.shapes))
        }
    }
}

/// The columns of a figure's table, each with its index in the answer.
pub(crate) fn select_columns(figure: &FigureSpec, answer: &AnswerTable) -> Vec<(usize, &'static str)> {
    figure.columns.iter().filter_map(|column| Some((answer.column_index(column)?, *column))).collect()
}

fn render_table(shown: &ShownFigure) -> Markup {
    let (figure, answer) = (shown.figure, &shown.answer);
    let columns = select_columns(figure, answer);
    let all = answer.rows.len();
    let rows = all.min(figure.rows);
    html! {
        // Three columns of long names are already wider than a telephone.
        @if columns.len() > 2 {
            p.more.sideways { "The table has " (columns.len()) " columns. Scroll sideways if some are out of sight." }
        }
        div.scroll role="region" tabindex="0" aria-label=(format!("Data of: {}", figure.title)) {
            table {
                caption.hidden { (figure.title) }
                thead { tr { @for (place, name) in &columns {
                    th scope="col" class=[answer.is_numeric(*place).then_some("number")] { (figure_text::name_heading(figure, name)) }
                } } }
                tbody { @for row in answer.rows.iter().take(rows) { tr { @for (place, name) in &columns {
                    @let cell = row.get(*place).unwrap_or(&AnswerCell::Null);
                    td class=[style_cell(name, answer.is_numeric(*place))] data-v=[cell.number()] {
                        @let text = outside::without_isolates(&figure_text::format_in_row(figure, answer, row, name));
                        @if style_cell(name, false) == Some("host") { (break_after_dots(&text)) } @else { (text) }
                    }
                } } } }
            }
        }
        @if let Some(extent) = captions::describe_rows(rows, all) { p.more { (extent) } }
    }
}
