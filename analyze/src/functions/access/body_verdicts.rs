//! Judges bodies by their user-agent lines and rules, one body after the other.

use super::BODY_ACCESS;
use super::cursor::column;
use super::lines::Lines;
use super::question::Question;
use datafusion::arrow::array::{ArrayRef, BooleanBuilder, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::cast::{as_int64_array, as_string_array};
use datafusion::common::{Result, internal_err};
use datafusion::execution::SendableRecordBatchStream;
use futures_util::TryStreamExt as _;
use std::sync::Arc;

/// Produces the rows of `robots_body_access`: judges one body after the other, and adds the verdicts to the columns of
/// `bodies`.
pub(super) struct BodyVerdicts {
    questions: Arc<[Question]>,
    bodies: SendableRecordBatchStream,
    lines: Lines,
    schema: SchemaRef,
}

impl BodyVerdicts {
    pub(super) fn new(
        questions: Arc<[Question]>,
        streams: Vec<SendableRecordBatchStream>,
        schema: SchemaRef,
    ) -> Result<Self> {
        match <[SendableRecordBatchStream; 3]>::try_from(streams) {
            Ok([bodies, groups, rules]) => {
                Ok(BodyVerdicts { questions, bodies, lines: Lines::new(groups, rules), schema })
            }
            Err(_) => internal_err!("{BODY_ACCESS} has three inputs"),
        }
    }

    /// The next rows of the answer.
    pub(super) async fn next(&mut self) -> Result<Option<RecordBatch>> {
        let Some(batch) = self.bodies.try_next().await? else { return Ok(None) };
        let crawls = as_string_array(column(&batch, "crawl")?)?;
        let bodies = as_int64_array(column(&batch, "body_id")?)?;
        let mut allowed: Vec<_> =
            self.questions.iter().map(|_| BooleanBuilder::with_capacity(batch.num_rows())).collect();
        for row in 0..batch.num_rows() {
            let transcript = self.lines.read_body((crawls.value(row), bodies.value(row))).await?;
            for (question, allowed) in self.questions.iter().zip(&mut allowed) {
                allowed.append_value(question.with_reading(transcript, |verdict, _| verdict.allowed)?);
            }
        }
        let allowed = allowed.iter_mut().map(|allowed| Arc::new(allowed.finish()) as ArrayRef);
        let columns = batch.columns().iter().cloned().chain(allowed).collect();
        Ok(Some(RecordBatch::try_new(Arc::clone(&self.schema), columns)?))
    }
}
