//! Reads a stream that is sorted by crawl and body, one body at a time.

use super::columns::{BodyFinding, FINDING};
use datafusion::arrow::array::{Array, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray, StructArray};
use datafusion::common::cast::{as_boolean_array, as_int32_array, as_int64_array, as_string_array, as_struct_array};
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::execution::SendableRecordBatchStream;
use futures_util::TryStreamExt;
use std::cmp::Ordering;

/// The crawl and the body of a row.
pub(super) type BodyKey<'k> = (&'k str, i64);

/// A position in a stream of rows that are sorted by crawl and body.
pub(super) struct BodyCursor<R> {
    stream: SendableRecordBatchStream,
    rows: Option<(BodyKeys, R)>,
    row: usize,
}

impl<R: TryFrom<RecordBatch, Error = DataFusionError>> BodyCursor<R> {
    pub(super) fn new(stream: SendableRecordBatchStream) -> Self {
        BodyCursor { stream, rows: None, row: 0 }
    }

    /// Skips the rows of earlier bodies, and calls `with` for each row of this one. Bodies must be requested in order.
    pub(super) async fn take(&mut self, key: BodyKey<'_>, mut with: impl FnMut(&R, usize)) -> Result<()> {
        loop {
            while let Some((keys, rows)) = &self.rows
                && let Some(at) = keys.key(self.row)
            {
                match at.cmp(&key) {
                    Ordering::Less => {}
                    Ordering::Equal => with(rows, self.row),
                    Ordering::Greater => return Ok(()),
                }
                self.row += 1;
            }
            let Some(batch) = self.stream.try_next().await? else {
                self.rows = None;
                return Ok(());
            };
            (self.rows, self.row) = (Some((BodyKeys::from_batch(&batch)?, R::try_from(batch)?)), 0);
        }
    }
}

/// The columns with the keys of rows.
struct BodyKeys {
    crawls: StringArray,
    bodies: Int64Array,
}

impl BodyKeys {
    fn from_batch(batch: &RecordBatch) -> Result<Self> {
        Ok(BodyKeys { crawls: text(batch, "crawl")?, bodies: as_int64_array(column(batch, "body_id")?)?.clone() })
    }

    /// The key of a row; `None` after the last row.
    fn key(&self, row: usize) -> Option<BodyKey<'_>> {
        (row < self.bodies.len()).then(|| (self.crawls.value(row), self.bodies.value(row)))
    }
}

/// User-agent lines.
pub(super) struct AgentRows {
    pub(super) groups: Int32Array,
    pub(super) lines: Int32Array,
    pub(super) agents: StringArray,
}

/// Rules.
pub(super) struct RuleRows {
    pub(super) groups: Int32Array,
    pub(super) lines: Int32Array,
    pub(super) allows: BooleanArray,
    pub(super) patterns: StringArray,
}

/// The findings for the texts of bodies; null for a body without a text.
pub(super) struct FindingRows {
    findings: StructArray,
    allowed: BooleanArray,
    match_kinds: StringArray,
    lines: Int32Array,
    patterns: StringArray,
}

impl FindingRows {
    pub(super) fn finding(&self, row: usize) -> Option<BodyFinding> {
        let is_there = |column: &dyn Array| column.is_valid(row);
        is_there(&self.findings).then(|| BodyFinding {
            allowed: is_there(&self.allowed).then(|| self.allowed.value(row)),
            match_kind: self.match_kinds.value(row).to_owned().into(),
            line: is_there(&self.lines).then(|| self.lines.value(row)),
            pattern: is_there(&self.patterns).then(|| self.patterns.value(row).to_owned()),
        })
    }
}

impl TryFrom<RecordBatch> for FindingRows {
    type Error = DataFusionError;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        let findings = as_struct_array(column(&batch, FINDING)?)?.clone();
        let [allowed, match_kinds, lines, patterns] = findings.columns() else {
            return internal_err!("a finding has {} columns", findings.num_columns());
        };
        Ok(FindingRows {
            allowed: as_boolean_array(allowed)?.clone(),
            match_kinds: as_string_array(match_kinds)?.clone(),
            lines: as_int32_array(lines)?.clone(),
            patterns: as_string_array(patterns)?.clone(),
            findings,
        })
    }
}

impl TryFrom<RecordBatch> for AgentRows {
    type Error = DataFusionError;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        Ok(AgentRows {
            groups: number(&batch, "group_no")?,
            lines: number(&batch, "line_no")?,
            agents: text(&batch, "agent")?,
        })
    }
}

impl TryFrom<RecordBatch> for RuleRows {
    type Error = DataFusionError;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        Ok(RuleRows {
            groups: number(&batch, "group_no")?,
            lines: number(&batch, "line_no")?,
            allows: as_boolean_array(column(&batch, "allow")?)?.clone(),
            patterns: text(&batch, "pattern")?,
        })
    }
}

/// A column of a batch. Fails if the plan did not select it.
pub(super) fn column<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b dyn Array> {
    match batch.column_by_name(name) {
        Some(column) => Ok(column),
        None => internal_err!("column is missing: {name}"),
    }
}

fn text(batch: &RecordBatch, name: &str) -> Result<StringArray> {
    Ok(as_string_array(column(batch, name)?)?.clone())
}

fn number(batch: &RecordBatch, name: &str) -> Result<Int32Array> {
    Ok(as_int32_array(column(batch, name)?)?.clone())
}
