//! A Parquet file, compressed like the tables.

use super::answer_writer::AnswerWriter;
use ::parquet::arrow::ArrowWriter;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};
use std::sync::Arc;

/// `ArrowWriter` needs a target that is `Send`, and the output of a command is not. So it writes to memory, which is
/// copied to the output after each batch.
pub(super) struct Parquet<W> {
    writer: ArrowWriter<Vec<u8>>,
    out: W,
}

impl<W: Write> Parquet<W> {
    pub(super) fn new(schema: &SchemaRef, out: W) -> io::Result<Self> {
        let compression = tables::compression().map_err(cannot)?;
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(schema), Some(properties)).map_err(cannot)?;
        Ok(Parquet { writer, out })
    }
}

impl<W: Write> AnswerWriter for Parquet<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.writer.write(batch).map_err(cannot)?;
        let written = self.writer.inner_mut();
        self.out.write_all(written)?;
        written.clear();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let rest = self.writer.into_inner().map_err(cannot)?;
        self.out.write_all(&rest)
    }
}

fn cannot(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
