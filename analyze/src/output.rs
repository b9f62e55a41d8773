//! Answers as bytes, in the format that was asked for.
//!
//! What a table holds comes from files that anybody may have written. Formats for people (table, markdown, csv, tsv) show
//! what would act on a terminal, a page or a spreadsheet, and do not pass it on; formats for programs (json, ndjson,
//! parquet) have the values as they are.

mod cell_value;
mod json;
mod markdown;
mod parquet;
mod plan;
mod separated;
mod table;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};

pub use markdown::escape_markdown;
pub use plan::write as write_plan;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Columns in line, for a person before a terminal.
    Table,
    /// Commas between values.
    Csv,
    /// Tabs between values.
    Tsv,
    /// One array of objects.
    Json,
    /// One object a line.
    Ndjson,
    /// A table of GitHub's Markdown.
    Markdown,
    /// A file of Parquet.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] =
        [Format::Table, Format::Csv, Format::Tsv, Format::Json, Format::Ndjson, Format::Markdown, Format::Parquet];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Table => "table",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Json => "json",
            Format::Ndjson => "ndjson",
            Format::Markdown => "markdown",
            Format::Parquet => "parquet",
        }
    }

    /// The format that the ending of a file's name stands for.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "txt" => Format::Table,
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "json" => Format::Json,
            "ndjson" | "jsonl" => Format::Ndjson,
            "md" => Format::Markdown,
            "parquet" => Format::Parquet,
            _ => return None,
        })
    }
}

/// What becomes of text from outside in csv and tsv.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
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
    pub format: Format,
    /// What becomes of text in csv and tsv.
    pub text: Text,
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
pub fn begin<'w, W: Write + 'w>(manner: Manner, schema: &SchemaRef, out: W) -> io::Result<Box<dyn AnswerWriter + 'w>> {
    Ok(match manner.format {
        Format::Table => Box::new(table::TextTable::new(schema, manner.ink, out)),
        Format::Csv => Box::new(separated::Separated::new(separated::Separation::Csv, manner.text, schema, out)?),
        Format::Tsv => Box::new(separated::Separated::new(separated::Separation::Tsv, manner.text, schema, out)?),
        Format::Json => Box::new(json::Json::new(json::JsonLayout::Array, out)),
        Format::Ndjson => Box::new(json::Json::new(json::JsonLayout::Lines, out)),
        Format::Markdown => Box::new(markdown::Markdown::new(schema, out)?),
        Format::Parquet => Box::new(parquet::Parquet::new(schema, out)?),
    })
}
