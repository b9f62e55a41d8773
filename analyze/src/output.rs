//! Writes answers in a format.
//!
//! Text in tables comes from crawled files, which anybody may have written. Formats for people (table, markdown, csv,
//! tsv) escape text that would act on a terminal, a page or a spreadsheet. Formats for programs (json, ndjson, parquet)
//! have the exact values.

mod cell_value;
mod format;
mod json;
mod markdown;
mod parquet;
mod plan;
mod separated;
mod table;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};

pub use format::AnswerFormat;
pub use markdown::escape_markdown;
pub use plan::write as write_plan;

/// How text from crawled files is written in csv and tsv.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEscape {
    /// Escaped, so that it acts neither on a terminal nor in a spreadsheet.
    Neutralised,
    /// Unchanged.
    Exact,
}

/// Whether a table has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// None.
    Plain,
    /// The colours of a terminal.
    Coloured,
}

/// How the rows of a table are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableLayout {
    /// A line for each row, however long.
    #[default]
    Lines,
    /// A line for each row, cut to this many columns of a terminal, with an ellipsis where it is cut.
    CutLines(usize),
    /// A line for each value, under the number of its row.
    Values,
}

/// How an answer is written: format, escapes, colours and layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The format.
    pub format: AnswerFormat,
    /// How text is written in csv and tsv.
    pub text: TextEscape,
    /// The colours of a table.
    pub ink: Ink,
    /// The layout of a table.
    pub layout: TableLayout,
}

/// Writes the batches of one answer.
pub trait AnswerWriter {
    /// Writes rows, or stores them until `finish`.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Writes the rest. Without this call, the answer is incomplete.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Starts an answer with these columns.
pub fn start_answer<'w, W: Write + 'w>(
    manner: Manner,
    schema: &SchemaRef,
    out: W,
) -> io::Result<Box<dyn AnswerWriter + 'w>> {
    Ok(match manner.format {
        AnswerFormat::Table => Box::new(table::TextTable::new(schema, manner, out)),
        AnswerFormat::Csv => Box::new(separated::Separated::new(separated::Separation::Csv, manner.text, schema, out)?),
        AnswerFormat::Tsv => Box::new(separated::Separated::new(separated::Separation::Tsv, manner.text, schema, out)?),
        AnswerFormat::Json => Box::new(json::Json::new(json::JsonLayout::Array, out)),
        AnswerFormat::Ndjson => Box::new(json::Json::new(json::JsonLayout::Lines, out)),
        AnswerFormat::Markdown => Box::new(markdown::Markdown::new(schema, out)?),
        AnswerFormat::Parquet => Box::new(parquet::Parquet::new(schema, out)?),
    })
}
