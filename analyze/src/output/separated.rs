//! Values with commas or tabs between them.
//!
//! A spreadsheet evaluates any text that starts like a formula, and a crawled site may have written that text. So it
//! gets a leading apostrophe, by which a spreadsheet recognises text. Numbers never get one, so that they can be
//! summed.

use super::answer_writer::AnswerWriter;
use super::cell_value::{CellValue, rows};
use super::manner::TextEscape;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};
use visible::Safe;

/// Writes CSV and TSV, which differ in the character between values. Both are RFC 4180 besides, but lines end with a line
/// feed only. So each reader of CSV that accepts a tab reads both.
pub(super) struct Separated<W> {
    separator: u8,
    text: TextEscape,
    out: W,
}

impl<W: Write> Separated<W> {
    pub(super) fn new(separator: u8, text: TextEscape, schema: &SchemaRef, out: W) -> io::Result<Self> {
        let mut separated = Separated { separator, text, out };
        let names: Vec<CellValue> = schema.fields().iter().map(|field| CellValue::Text(field.name().clone())).collect();
        separated.write_row(&names)?;
        Ok(separated)
    }

    fn write_row(&mut self, values: &[CellValue]) -> io::Result<()> {
        let is_alone = values.len() == 1;
        for (nth, value) in values.iter().enumerate() {
            if nth > 0 {
                self.out.write_all(&[self.separator])?;
            }
            let cell = match value {
                // Most readers skip an empty line, so the row would be lost.
                CellValue::Null if is_alone => "\"\"".to_owned(),
                CellValue::Null => String::new(),
                value if self.text == TextEscape::Neutralised && value.is_text() => quoted(&neutralise(&value.plain())),
                value => quoted(&value.plain()),
            };
            self.out.write_all(cell.as_bytes())?;
        }
        self.out.write_all(b"\n")
    }
}

impl<W: Write> AnswerWriter for Separated<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        rows(batch)?.try_for_each(|row| self.write_row(&row?))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Escapes a text so that it acts neither on a terminal nor in a spreadsheet.
fn neutralise(text: &str) -> String {
    // Some spreadsheets skip leading blanks, and some accept the full-width forms of the signs.
    let is_formula = text.trim_start_matches(' ').starts_with(|first| {
        matches!(first, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}')
    });
    format!("{}{}", if is_formula { "'" } else { "" }, Safe(text.as_bytes()))
}

fn quoted(text: &str) -> String {
    let needs_quotes = text.is_empty()
        || text.starts_with([' ', '\''])
        || text.ends_with(' ')
        || text.contains([',', ';', '"', '\n', '\r', '\t']);
    if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
