//! The columns of the table functions.

use super::question::Question;
use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Int32Builder, RecordBatch, RecordBatchOptions, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use datafusion::common::Result;
use robots::{Reading, Verdict};
use std::borrow::Cow;
use std::sync::Arc;

/// The columns that are copied from `sites`. There, too, they are never null.
pub(super) const SITE_COLUMNS: [(&str, DataType); 6] = [
    ("crawl", DataType::Utf8),
    ("site_id", DataType::Int64),
    ("url_protocol", DataType::Utf8),
    ("url_host_name", DataType::Utf8),
    ("url_port", DataType::Int32),
    ("outcome", DataType::Utf8),
];

/// All columns of `robots_access`, in order.
pub(super) fn schema() -> SchemaRef {
    let sites = SITE_COLUMNS.map(|(name, data_type)| Arc::new(Field::new(name, data_type, false)));
    Arc::new(Schema::new(sites.into_iter().chain(finding_fields().iter().cloned()).collect::<Fields>()))
}

/// The fields of `robots_body_access` for verdicts, one per question.
pub(super) fn verdict_fields(questions: &[Question]) -> Vec<Field> {
    questions.iter().map(|question| Field::new(question.column(), DataType::Boolean, true)).collect()
}

/// The name, within a plan, of the column with the finding for a text.
pub(super) const FINDING: &str = "finding";

/// The fields of a finding.
pub(super) fn finding_fields() -> Fields {
    Fields::from(vec![
        Field::new("allowed", DataType::Boolean, true),
        Field::new("match_kind", DataType::Utf8, false),
        Field::new("deciding_line", DataType::Int32, true),
        Field::new("deciding_pattern", DataType::Utf8, true),
    ])
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
    pub(super) fn finish(&mut self, sites: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
        let arrays = self.arrays();
        let rows = RecordBatchOptions::new().with_row_count(Some(sites.num_rows()));
        let fields = finding_fields();
        let of = |field: &FieldRef| match fields.find(field.name()) {
            Some((place, _)) => arrays.get(place).cloned(),
            None => sites.column_by_name(field.name()).cloned(),
        };
        let arrays = schema.fields().iter().filter_map(of).collect();
        Ok(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &rows)?)
    }
}
