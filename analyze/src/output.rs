//! Writes answers in a format.
//!
//! Text in tables comes from crawled files, which anybody may have written. Formats for people (table, markdown, csv,
//! tsv) escape text that would act on a terminal, a page or a spreadsheet. Formats for programs (json, ndjson, parquet)
//! have the exact values.

mod answer_writer;
mod cell_value;
mod format;
mod json;
mod manner;
mod markdown;
mod parquet;
mod plan;
mod separated;
mod table;

use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};

pub use answer_writer::AnswerWriter;
pub use format::AnswerFormat;
pub use manner::{Ink, Manner, TableLayout, TextEscape};
pub use markdown::escape_markdown;
pub use plan::write as write_plan;

/// Starts an answer with these columns.
pub fn start_answer<'w, W: Write + 'w>(
    manner: Manner,
    schema: &SchemaRef,
    out: W,
) -> io::Result<Box<dyn AnswerWriter + 'w>> {
    Ok(match manner.format {
        AnswerFormat::Table => Box::new(table::TextTable::new(schema, manner, out)),
        AnswerFormat::Csv => Box::new(separated::Separated::new(b',', manner.text, schema, out)?),
        AnswerFormat::Tsv => Box::new(separated::Separated::new(b'\t', manner.text, schema, out)?),
        AnswerFormat::Json => Box::new(json::Json::new(json::JsonLayout::Array, out)),
        AnswerFormat::Ndjson => Box::new(json::Json::new(json::JsonLayout::Lines, out)),
        AnswerFormat::Markdown => Box::new(markdown::Markdown::new(schema, out)?),
        AnswerFormat::Parquet => Box::new(parquet::Parquet::new(schema, out)?),
    })
}
