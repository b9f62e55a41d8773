//! Answers as bytes, in the format that was asked for.
//!
//! What a table holds comes from files that anybody may have written. Formats for people (table, markdown, csv, tsv) show
//! what would act on a terminal, a page or a spreadsheet, and do not pass it on; formats for programs (json, ndjson,
//! parquet) have the values as they are.

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

/// What becomes of text from outside in csv and tsv.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEscape {
    /// What acts on a terminal or in a spreadsheet is shown and does not act.
    Neutralised,
    /// It stays as it is.
    Exact,
}

/// Whether a table may have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// None.
    Plain,
    /// Those of a terminal.
    Coloured,
}

/// How an answer is written, in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The format.
    pub format: AnswerFormat,
    /// What becomes of text in csv and tsv.
    pub text: TextEscape,
    /// The colours of a table.
    pub ink: Ink,
}

/// Where the batches of one answer go.
pub trait AnswerWriter {
    /// Takes the next rows.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Writes what is left, behind all rows. Without it an answer is not whole.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Begins an answer with these columns.
pub fn start_answer<'w, W: Write + 'w>(
    manner: Manner,
    schema: &SchemaRef,
    out: W,
) -> io::Result<Box<dyn AnswerWriter + 'w>> {
    Ok(match manner.format {
        AnswerFormat::Table => Box::new(table::TextTable::new(schema, manner.ink, out)),
        AnswerFormat::Csv => Box::new(separated::Separated::new(separated::Separation::Csv, manner.text, schema, out)?),
        AnswerFormat::Tsv => Box::new(separated::Separated::new(separated::Separation::Tsv, manner.text, schema, out)?),
        AnswerFormat::Json => Box::new(json::Json::new(json::JsonLayout::Array, out)),
        AnswerFormat::Ndjson => Box::new(json::Json::new(json::JsonLayout::Lines, out)),
        AnswerFormat::Markdown => Box::new(markdown::Markdown::new(schema, out)?),
        AnswerFormat::Parquet => Box::new(parquet::Parquet::new(schema, out)?),
    })
}
