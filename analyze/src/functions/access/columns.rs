//! The columns of the table functions.

use super::question::Question;
use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Int32Builder, RecordBatch, RecordBatchOptions, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use datafusion::common::Result;
use robots::{Reading, Verdict};
use std::borrow::Cow;
use std::sync::Arc;

/// The columns that are copied from `sites`.
pub(super) const SITE_COLUMNS: [&str; 6] = ["crawl", "site_id", "url_protocol", "url_host_name", "url_port", "outcome"];

/// A column of `robots_access`, by its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerdictColumn {
    /// From `sites`, by its index in [`SITE_COLUMNS`].
    Site(usize),
    Allowed,
    MatchKind,
    DecidingLine,
    DecidingPattern,
}

/// All columns in order, with their fields.
fn columns() -> Vec<(VerdictColumn, Field)> {
    let types = [DataType::Utf8, DataType::Int64, DataType::Utf8, DataType::Utf8, DataType::Int32, DataType::Utf8];
    let sites = SITE_COLUMNS.into_iter().zip(types).enumerate();
    let mut columns: Vec<(VerdictColumn, Field)> = sites
        .map(|(place, (name, data_type))| (VerdictColumn::Site(place), Field::new(name, data_type, true)))
        .collect();
    columns.extend([
        (VerdictColumn::Allowed, Field::new("allowed", DataType::Boolean, true)),
        (VerdictColumn::MatchKind, Field::new("match_kind", DataType::Utf8, false)),
        (VerdictColumn::DecidingLine, Field::new("deciding_line", DataType::Int32, true)),
        (VerdictColumn::DecidingPattern, Field::new("deciding_pattern", DataType::Utf8, true)),
    ]);
    columns
}

/// The schema with all columns.
pub(super) fn schema() -> SchemaRef {
    Arc::new(Schema::new(columns().into_iter().map(|(_, field)| field).collect::<Vec<_>>()))
}

/// The columns of a projection, and their schema.
pub(super) fn projected(projection: Option<&[usize]>) -> (Vec<VerdictColumn>, SchemaRef) {
    let all = columns();
    let (columns, fields): (Vec<_>, Vec<_>) = match projection {
        None => all.into_iter().unzip(),
        Some(places) => places.iter().filter_map(|place| all.get(*place).cloned()).unzip(),
    };
    (columns, Arc::new(Schema::new(fields)))
}

/// The fields of `robots_body_access` for verdicts, one per question.
pub(super) fn verdict_fields(questions: &[Question]) -> Vec<Field> {
    questions.iter().map(|question| Field::new(question.column(), DataType::Boolean, true)).collect()
}

/// The name, within a plan, of the column with the finding for a text.
pub(super) const FINDING: &str = "finding";

/// The fields of a finding.
pub(super) fn finding_fields() -> Fields {
    let is_finding = |(column, field)| (!matches!(column, VerdictColumn::Site(_))).then_some(field);
    columns().into_iter().filter_map(is_finding).collect()
}

/// The verdict for a site, and the rule that decides it.
#[derive(Debug)]
pub(super) struct BodyFinding {
    pub(super) allowed: Option<bool>,
    pub(super) match_kind: Cow<'static, str>,
    pub(super) line: Option<i32>,
    pub(super) pattern: Option<String>,
}

impl BodyFinding {
    /// The finding for a file.
    pub(super) fn new(verdict: &Verdict, reading: &Reading<'_>) -> Self {
        let pattern = verdict.rule.map(|rule| rule.pattern.slice(reading.text()));
        BodyFinding {
            allowed: Some(verdict.allowed),
            match_kind: verdict.matched.name().into(),
            line: verdict.line.and_then(|line| i32::try_from(line).ok()),
            pattern: pattern.map(|pattern| String::from_utf8_lossy(pattern).into_owned()),
        }
    }
}

/// Builds the columns of findings for a batch.
#[derive(Debug, Default)]
pub(super) struct FindingColumns {
    allowed: BooleanBuilder,
    match_kind: StringBuilder,
    line: Int32Builder,
    pattern: StringBuilder,
}

impl FindingColumns {
    pub(super) fn push(&mut self, finding: &BodyFinding) {
        self.allowed.append_option(finding.allowed);
        self.match_kind.append_value(&finding.match_kind);
        self.line.append_option(finding.line);
        self.pattern.append_option(finding.pattern.as_deref());
    }

    /// The length of all patterns so far, in octets.
    pub(super) fn pattern_octets(&self) -> usize {
        self.pattern.values_slice().len()
    }

    /// The columns, in the order of [`finding_fields`].
    pub(super) fn arrays(&mut self) -> [ArrayRef; 4] {
        [
            Arc::new(self.allowed.finish()),
            Arc::new(self.match_kind.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.pattern.finish()),
        ]
    }

    /// A batch of the findings so far, each beside its row of `sites`.
    pub(super) fn finish(
        &mut self,
        sites: &RecordBatch,
        columns: &[VerdictColumn],
        schema: &SchemaRef,
    ) -> Result<RecordBatch> {
        let [allowed, match_kind, line, pattern] = self.arrays();
        let of = |column: &VerdictColumn| {
            let found = match column {
                VerdictColumn::Site(place) => return sites.column_by_name(SITE_COLUMNS.get(*place)?).cloned(),
                VerdictColumn::Allowed => &allowed,
                VerdictColumn::MatchKind => &match_kind,
                VerdictColumn::DecidingLine => &line,
                VerdictColumn::DecidingPattern => &pattern,
            };
            Some(Arc::clone(found))
        };
        let options = RecordBatchOptions::new().with_row_count(Some(allowed.len()));
        let arrays = columns.iter().filter_map(of).collect();
        Ok(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?)
    }
}
