//! `docs/questions.md`, made from the headers of the questions.

use super::{Folder, Query, all};
use crate::page;
use crate::statement::Value;
use std::fmt::Write as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze questions";

#[test]
fn the_page_of_questions() {
    page::check("docs/questions.md", &text(), BLESS);
}

fn text() -> String {
    let (questions, views) = (all(Folder::Questions).unwrap(), all(Folder::Views).unwrap());
    let mut page = format!(
        "<!-- Made by analyze/src/queries/page.rs. To write it anew: {BLESS} -->

# Questions

`robocensus query NAME` answers one, `robocensus query NAME --help` tells all of it, caveats too. The letter and number are those of the catalogue of what the field asks; a question of it that has several answers has several files. What a question can be told besides its own parameters is that of the [views](#views) that it reads. [asking.md](asking.md) tells how to ask, [definitions.md](definitions.md) what counts as blocked.
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
                "\n## {letter}: {name}\n\n| | question | asks | one row is | parameters | reads |\n|---|---|---|---|---|---|\n"
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
            "### {}\n\n{} One row is {}.\n",
            view.name,
            view.header.question.as_deref().unwrap(),
            view.header.grain
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

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) if text.is_empty() => "nothing".to_owned(),
        Value::Text(text) => text.clone(),
        Value::Texts(texts) if texts.iter().all(String::is_empty) => "nothing".to_owned(),
        Value::Texts(texts) => texts.join(", "),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => format!("{value:?}"),
        Value::Boolean(value) => value.to_string(),
    }
}
