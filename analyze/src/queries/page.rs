//! Generates the page `docs/questions.md` from the headers of the questions.

use super::{AnswerColumn, Parameter, Query, QueryKind, all};
use std::fmt::Write as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze questions";

#[test]
fn the_page_of_questions() {
    committed::check("docs/questions.md", &text(), BLESS);
}

#[test]
fn the_columns_of_answers_are_known() {
    for question in all(QueryKind::Question).unwrap() {
        let path = committed::path(&format!("queries/expected/{}.csv", question.name));
        let answer = std::fs::read_to_string(path).unwrap();
        assert_eq!(question.parsed().unwrap().answer_columns().join(","), answer.lines().next().unwrap());
    }
}

#[test]
fn texts_state_the_number_of_questions() {
    let questions = all(QueryKind::Question).unwrap().len();
    for (path, text) in [
        ("README.md", format!("[{questions} named questions]")),
        ("CHANGELOG.md", format!("answers {questions} [questions]")),
    ] {
        let written = std::fs::read_to_string(committed::path(path)).unwrap();
        assert!(written.contains(&text), "{path} has no text {text}");
    }
}

fn text() -> String {
    let (questions, views) = (all(QueryKind::Question).unwrap(), all(QueryKind::View).unwrap());
    let mut page = format!(
        "<!-- Made by analyze/src/queries/page.rs. To write it anew: {BLESS} -->

# Questions

`robocensus query NAME` answers a question. `robocensus query NAME --help` shows what is here about it. The letter of an id such as A01 is the topic of the question. Several questions can have one id. [asking.md](asking.md) explains how to ask, and [definitions.md](definitions.md) what counts as blocked.

Under a question are its columns, parameters and caveats. Most answers have these columns:

"
    );
    AnswerColumn::shared().for_each(|column| page.push_str(&explained(&column)));
    page.push_str(
        "
A parameter is an option with hyphens: `min_sites` is `--min-sites`. In parentheses are the values that it takes and its default; `''` is an empty text, and mostly means none. A question also has the parameters of the [views](#views) that it reads. Most questions have these:

",
    );
    let of_view = |name: &str| views.iter().find(|view| view.name == name).unwrap().header.parameters.clone();
    let shared =
        [of_view("population"), of_view("site_strata"), of_view("site_blocking_classes")[1..].to_vec()].concat();
    let shared: Vec<&Parameter> = shared.iter().collect();
    for parameter in &shared {
        page.push_str(&described(parameter));
    }
    let mut sorted: Vec<&Query> = questions.iter().collect();
    sorted.sort_by_key(|question| (&question.header.id, &question.name));
    page.push_str("\nAll questions by topic:\n\n");
    let mut group = None;
    for question in &sorted {
        let (letter, name) = question.header.group().unwrap();
        if group.replace(letter) != Some(letter) {
            let _ = writeln!(page, "- {letter}: {name}");
        }
        let _ = writeln!(page, "  - [`{}`](#{}) {}", question.name, question.name, question.header.title);
    }
    let mut group = None;
    for question in sorted {
        let (letter, name) = question.header.group().unwrap();
        if group.replace(letter) != Some(letter) {
            let _ = write!(page, "\n## {letter}: {name}\n");
        }
        section(question, &views, &shared, &mut page);
    }
    page.push_str("\n## Views\n");
    for view in &views {
        let _ = write!(
            page,
            "\n### {}\n\n{}\n\nRows: {}.{}\n",
            view.name,
            view.header.question.as_deref().unwrap(),
            view.header.grain,
            match view.header.reads.is_empty() {
                true => String::new(),
                false => format!(" Reads {}.", listed(&view.header.reads)),
            }
        );
        if !view.header.parameters.is_empty() {
            page.push('\n');
        }
        view.header.parameters.iter().for_each(|parameter| page.push_str(&described(parameter)));
    }
    page
}

fn section(question: &Query, views: &[Query], shared: &[&Parameter], page: &mut String) {
    let header = &question.header;
    let _ = write!(
        page,
        "\n### {}\n\n{}: {}\n\nRows: {}. Reads {}.\n",
        question.name,
        header.id.as_deref().unwrap(),
        header.question.as_deref().unwrap(),
        header.grain,
        listed(&header.reads)
    );
    if let Some(reason) = &header.no_strata {
        let _ = writeln!(page, "\nNo strata: {reason}.");
    }
    if let Some(reason) = &header.no_crawl {
        let _ = writeln!(page, "\nNo `crawl`: {reason}.");
    }
    // A parameter like a shared one is listed by name, and with its default if that differs.
    let has_meaning_of = |one: &Parameter, other: &Parameter| {
        let short = Parameter::parse(&format!("{} = '{}'", one.name, one.written_default));
        one.meaning == other.meaning || short.is_ok_and(|short| one.meaning == short.meaning)
    };
    let like = |one: &&Parameter| {
        let is_like =
            |other: &&&Parameter| other.name == one.name && other.kind == one.kind && has_meaning_of(one, other);
        shared.iter().find(is_like)
    };
    let all = question.parameters(views);
    let mut lines: String = all.iter().filter(|one| like(one).is_none()).map(described).collect();
    let others: Vec<String> = (all.iter())
        .filter_map(|one| match like(&one)?.default == one.default {
            true => Some(format!("`{}`", one.name)),
            false => Some(format!("`{}` = {}", one.name, one.default)),
        })
        .collect();
    if !others.is_empty() {
        let _ = writeln!(lines, "- also {}", others.join(", "));
    }
    let columns: String = header.columns.iter().map(explained).collect();
    let caveats: String = header.caveats.iter().map(|caveat| format!("- {caveat}\n")).collect();
    for (name, lines) in [("Columns", columns), ("Parameters", lines), ("Caveats", caveats)] {
        if !lines.is_empty() {
            let _ = write!(page, "\n{name}:\n\n{lines}");
        }
    }
}

fn explained(column: &AnswerColumn) -> String {
    format!("- `{}`: {}\n", column.name, column.meaning)
}

fn described(parameter: &Parameter) -> String {
    format!("- `{}` ({}; {}): {}\n", parameter.name, parameter.kind, parameter.default, parameter.meaning)
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
