//! Merges sites with the lines or findings of their bodies, and judges body by body.

use super::ACCESS;
use super::columns::{BodyFinding, FindingColumns};
use super::cursor::{BodyCursor, BodyKey, FindingRows, column};
use super::judge::text_is_missing;
use super::lines::Lines;
use super::question::Question;
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::cast::{as_int32_array, as_int64_array, as_string_array};
use datafusion::common::{Result, internal_err};
use datafusion::execution::SendableRecordBatchStream;
use futures_util::TryStreamExt;
use robots::SiteAccess;
use std::sync::Arc;

/// A batch ends when its patterns take this many octets. A pattern can be as long as the longest file, and thousands of
/// sites can share it.
const MOST_PATTERN_OCTETS: usize = 8 << 20;

/// Produces the rows of `robots_access`.
pub(super) struct Judging {
    sites: SendableRecordBatchStream,
    /// A batch of sites, and the index of the first that is not yet judged.
    waiting: Option<(RecordBatch, usize)>,
    judge: BodyJudge,
    schema: SchemaRef,
}

/// Judges one body after the other.
struct BodyJudge {
    question: Arc<Question>,
    source: JudgingSource,
    /// The last body, and its finding. The sites of a body follow one another.
    last: Option<((String, i64), BodyFinding)>,
}

/// The inputs from which bodies are judged.
enum JudgingSource {
    /// Their user-agent lines and rules.
    Lines(Box<Lines>),
    /// The findings for their texts.
    Texts(Box<BodyCursor<FindingRows>>),
}

impl Judging {
    pub(super) fn new(
        question: Arc<Question>,
        streams: Vec<SendableRecordBatchStream>,
        schema: SchemaRef,
    ) -> Result<Self> {
        let mut streams = streams.into_iter();
        let (sites, source) = match (streams.next(), streams.next(), streams.next()) {
            (Some(sites), Some(groups), Some(rules)) => {
                (sites, JudgingSource::Lines(Box::new(Lines::new(groups, rules))))
            }
            (Some(sites), Some(findings), None) => (sites, JudgingSource::Texts(Box::new(BodyCursor::new(findings)))),
            _ => return internal_err!("{ACCESS} has two or three inputs"),
        };
        let judge = BodyJudge { question, source, last: None };
        Ok(Judging { sites, waiting: None, judge, schema })
    }

    /// The next rows of the answer.
    pub(super) async fn next(&mut self) -> Result<Option<RecordBatch>> {
        let (batch, first) = match self.waiting.take() {
            Some(waiting) => waiting,
            None => match self.sites.try_next().await? {
                Some(batch) => (batch, 0),
                None => return Ok(None),
            },
        };
        let crawls = as_string_array(column(&batch, "crawl")?)?;
        let bodies = as_int64_array(column(&batch, "body_id")?)?;
        let outcomes = as_string_array(column(&batch, "outcome")?)?;
        let statuses = as_int32_array(column(&batch, "final_status")?)?;
        let mut findings = FindingColumns::default();
        let mut row = first;
        while row < batch.num_rows() && findings.pattern_octets() < MOST_PATTERN_OCTETS {
            let body = bodies.is_valid(row).then(|| (crawls.value(row), bodies.value(row)));
            let status = statuses.is_valid(row).then(|| statuses.value(row));
            match (self.judge.question.access(outcomes.value(row), status)?, body) {
                (SiteAccess::ByRules, Some(body)) => findings.push(self.judge.finding(body).await?),
                (access, _) => findings.push(&self.judge.question.finding_without_rules(access)),
            }
            row += 1;
        }
        let done = findings.finish(&batch.slice(first, row - first), &self.schema)?;
        self.waiting = (row < batch.num_rows()).then_some((batch, row));
        Ok(Some(done))
    }
}

impl BodyJudge {
    async fn finding(&mut self, key: BodyKey<'_>) -> Result<&BodyFinding> {
        let is_last = self.last.as_ref().is_some_and(|((crawl, body), _)| (crawl.as_str(), *body) == key);
        if !is_last {
            let finding = self.judge(key).await?;
            self.last = Some(((key.0.to_owned(), key.1), finding));
        }
        match &self.last {
            Some((_, finding)) => Ok(finding),
            None => internal_err!("no body was judged"),
        }
    }

    async fn judge(&mut self, key: BodyKey<'_>) -> Result<BodyFinding> {
        match &mut self.source {
            JudgingSource::Lines(lines) => self.question.with_reading(lines.read_body(key).await?, BodyFinding::new),
            JudgingSource::Texts(findings) => {
                let mut found = None;
                findings.take(key, |rows, row| found = rows.finding(row)).await?;
                match found {
                    Some(finding) => Ok(finding),
                    None => text_is_missing(ACCESS, key, Some(&self.question)),
                }
            }
        }
    }
}
