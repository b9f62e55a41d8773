//! `docs/questions.md`, made from the headers of the questions.

use super::{Query, QueryKind, all};
use crate::page;
use crate::statement::ParameterValue;
use std::fmt::Write as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze questions";

#[test]
fn the_page_of_questions() {
    page::check("docs/questions.md", &text(), BLESS);
}

fn text() -> String {
    let (questions, views) = (all(QueryKind::Question).unwrap(), all(QueryKind::View).unwrap());
    let mut page = format!(
        "<!-- Made by analyze/src/queries/page.rs. To write it anew: {BLESS} -->

# Questions

`robocensus query NAME` answers a question. `robocensus query NAME --help` shows its parameters and caveats. A letter and a number place a question in the catalogue of what the field asks; several questions may share them. A question also has the parameters of the [views](#views) that it reads, and of those that these read. [asking.md](asking.md) explains how to ask, [definitions.md](definitions.md) what counts as blocked.
"
    );
    let mut sorted: Vec<&Query> = questions.iter().collect();
    sorted.sort_by_key(|question| (&question.header.id, &question.name));
    let mut group = None;
    for question in sorted {
        let (letter, name) = question.header.group().unwrap();
        if group.replace(letter) != Some(letter) {
            let _ = write!(
                page,
                "\n## {letter}: {name}\n\n| | name | question | rows | parameters | reads |\n|---|---|---|---|---|---|\n"
            );
        }
        let header = &question.header;
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {} | {} | {} |",
            header.id.as_deref().unwrap(),
            question.name,
            header.question.as_deref().unwrap(),
            header.grain,
            parameters(question),
            header.reads.join(", ")
        );
    }
    page.push_str("\n## Views\n\n");
    for view in &views {
        let _ = writeln!(
            page,
            "### {}\n\n{} Rows: {}. Reads {}.\n",
            view.name,
            view.header.question.as_deref().unwrap(),
            view.header.grain,
            view.header.reads.join(", ")
        );
        for parameter in &view.header.parameters {
            let default = shown(&parameter.default);
            let _ = writeln!(page, "- `{}` ({}; {default}): {}", parameter.name, parameter.kind, parameter.meaning);
        }
        page.push_str(if view.header.parameters.is_empty() { "" } else { "\n" });
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn parameters(question: &Query) -> String {
    let parameters = question.header.parameters.iter();
    parameters.map(|one| format!("`{}` = {}", one.name, shown(&one.default))).collect::<Vec<_>>().join(", ")
}

fn shown(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Text(text) if text.is_empty() => "''".to_owned(),
        ParameterValue::Text(text) => text.clone(),
        ParameterValue::Texts(texts) if texts.iter().all(String::is_empty) => "''".to_owned(),
        ParameterValue::Texts(texts) => texts.join(", "),
        ParameterValue::Integer(value) => value.to_string(),
        ParameterValue::Number(value) => format!("{value:?}"),
        ParameterValue::Boolean(value) => value.to_string(),
    }
}
