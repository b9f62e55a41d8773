//! JSON: one array, or one object per line. Values are exact. Control characters are escaped; a parser reads the same
//! text.

use super::answer_writer::AnswerWriter;
use super::cell_value::{rows, write_object};
use datafusion::arrow::array::RecordBatch;
use std::io::{self, Write};

/// How the objects are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonLayout {
    Array,
    Lines,
}

pub(super) struct Json<W> {
    kind: JsonLayout,
    out: W,
    is_begun: bool,
}

impl<W: Write> Json<W> {
    pub(super) fn new(kind: JsonLayout, out: W) -> Self {
        Json { kind, out, is_begun: false }
    }
}

impl<W: Write> AnswerWriter for Json<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let schema = batch.schema();
        for row in rows(batch)? {
            let row = row?;
            if self.kind == JsonLayout::Array {
                self.out.write_all(if self.is_begun { b",\n" } else { b"[" })?;
            }
            self.is_begun = true;
            write_object(&mut self.out, schema.fields().iter().map(|field| field.name().as_str()).zip(&row))?;
            if self.kind == JsonLayout::Lines {
                self.out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        match self.kind {
            JsonLayout::Lines => Ok(()),
            JsonLayout::Array => self.out.write_all(if self.is_begun { b"]\n" } else { b"[]\n" }),
        }
    }
}
