//! The columns of answers, and what they mean.

use super::Query;

/// Columns that questions share, so that they need not declare them: `NAME: MEANING` on each line.
const SHARED: &str = include_str!("../../../queries/columns.txt");

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerColumn {
    /// Its name.
    pub name: String,
    /// What its values mean.
    pub meaning: String,
}

impl AnswerColumn {
    /// Reads `NAME: MEANING`.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let (name, meaning) = line.split_once(": ").ok_or_else(|| format!("not of the form NAME: MEANING: {line}"))?;
        Ok(AnswerColumn { name: name.to_owned(), meaning: meaning.to_owned() })
    }

    /// The columns that questions share.
    pub(super) fn shared() -> impl Iterator<Item = AnswerColumn> {
        SHARED.lines().filter_map(|line| AnswerColumn::parse(line).ok())
    }
}

impl Query {
    /// The columns of its answer that its header or the shared list explains, in their order. Empty if the statement
    /// cannot be parsed.
    #[must_use]
    pub fn columns(&self) -> Vec<AnswerColumn> {
        let names = self.parsed().map(|parsed| parsed.answer_columns()).unwrap_or_default();
        let known: Vec<AnswerColumn> = self.header.columns.iter().cloned().chain(AnswerColumn::shared()).collect();
        names.iter().filter_map(|name| known.iter().find(|column| column.name == *name).cloned()).collect()
    }
}
