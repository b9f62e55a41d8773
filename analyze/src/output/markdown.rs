//! A table in GitHub's Markdown. Its cells are plain text: a renderer shows no mark-up, link or HTML.

use super::answer_writer::AnswerWriter;
use super::cell_value::{CellValue, rows};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};
use visible::Safe;

pub(super) struct Markdown<W> {
    out: W,
}

impl<W: Write> Markdown<W> {
    pub(super) fn new(schema: &SchemaRef, mut out: W) -> io::Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|field| escape_markdown(field.name())).collect();
        let rule = |field: &datafusion::arrow::datatypes::Field| {
            if field.data_type().is_numeric() { "---:" } else { "---" }
        };
        let rules: Vec<&str> = schema.fields().iter().map(|field| rule(field)).collect();
        if !names.is_empty() {
            writeln!(out, "| {} |\n| {} |", names.join(" | "), rules.join(" | "))?;
        }
        Ok(Markdown { out })
    }
}

impl<W: Write> AnswerWriter for Markdown<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        for row in rows(batch)? {
            let cells: Vec<String> = row?.iter().map(cell).collect();
            writeln!(self.out, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

fn cell(value: &CellValue) -> String {
    if value.is_text() { escape_markdown(&value.plain()) } else { value.readable() }
}

/// Escapes a text so that a Markdown renderer shows it unchanged, without mark-up, links or HTML. Colons and dots are
/// escaped only where a renderer would make a link.
#[must_use]
pub fn escape_markdown(text: &str) -> String {
    let shown = Safe(text.as_bytes()).to_string();
    let mut escaped = String::with_capacity(shown.len());
    for (at, character) in shown.char_indices() {
        let rest = shown.get(at + character.len_utf8()..).unwrap_or_default();
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' | '@' => {
                escaped.push('\\');
                escaped.push(character);
            }
            ':' if rest.starts_with("//") || ends_with(&escaped, "mailto") || ends_with(&escaped, "xmpp") => {
                escaped.push_str(r"\:");
            }
            '.' if ends_with(&escaped, "www") => escaped.push_str(r"\."),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn ends_with(text: &str, end: &str) -> bool {
    text.len().checked_sub(end.len()).and_then(|at| text.get(at..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
}
