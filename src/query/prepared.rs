//! A question with the values of its parameters, ready to run.

use analyze::queries::{self, QueryKind};
use analyze::statement::{ParameterValues, ParsedQuery};
use folder::Failure;
use std::collections::BTreeMap;

/// A question, and the statement that answers it.
#[derive(Debug)]
pub(super) struct Prepared<'q> {
    pub(super) question: &'q queries::Query,
    /// The views of the program, which questions read.
    pub(super) views: Vec<queries::Query>,
    pub(super) values: ParameterValues,
    pub(super) statement: ParsedQuery,
}

impl<'q> Prepared<'q> {
    /// Fails if a value that was typed does not fit its parameter.
    pub(super) fn new(question: &'q queries::Query, typed: &BTreeMap<String, String>) -> Result<Self, Failure> {
        let views = queries::all(QueryKind::View)?;
        let values = question.values(&views, typed)?;
        let statement = question.statement(&views, &values)?;
        Ok(Prepared { question, views, values, statement })
    }
}
