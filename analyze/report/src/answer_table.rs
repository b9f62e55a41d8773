//! The answer to a question as rows of cells.

use crate::glossary;
use crate::outside::shorten;
use analyze::output::{self, AnswerFormat, Manner};
use datafusion::arrow::array::types::{Float64Type, Int32Type, Int64Type};
use datafusion::arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// A value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnswerCell {
    /// No value.
    Null,
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Real(f64),
    /// True or false.
    Flag(bool),
    /// A text, escaped and cut.
    Text(String),
}

impl AnswerCell {
    /// Whether it is this text.
    pub(crate) fn is_text(&self, text: &str) -> bool {
        matches!(self, AnswerCell::Text(own) if own == text)
    }

    /// The value as a number; `None` if it is not a finite number, or so great that sums and axes would overflow.
    pub(crate) fn number(&self) -> Option<f64> {
        const GREATEST: f64 = 1e18;
        let number = match self {
            AnswerCell::Whole(number) => *number as f64,
            AnswerCell::Real(number) => *number,
            _ => return None,
        };
        (number.abs() <= GREATEST).then_some(number)
    }
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub(crate) struct AnswerTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<AnswerCell>>,
}

impl AnswerTable {
    /// Reads the batches of an answer.
    pub(crate) fn read(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, ArrowError> {
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                rows.push(batch.columns().iter().map(|column| read_cell(column, row)).collect::<Result<_, _>>()?);
            }
        }
        Ok(AnswerTable { schema, batches, columns, rows })
    }

    /// Spells the names of agents as their operators do. The CSV keeps them in lower case.
    pub(crate) fn spell_agents(&mut self, spellings: &BTreeMap<String, String>) {
        const BY_NAME: &str = " by name";
        for column in glossary::AGENTS {
            let Some(place) = self.column_index(column) else { continue };
            for row in &mut self.rows {
                if let Some(AnswerCell::Text(text)) = row.get_mut(place) {
                    // A token has no comma.
                    let agents = text.split(", ").map(|agent| spellings.get(agent).map_or(agent, String::as_str));
                    *text = agents.collect::<Vec<_>>().join(", ");
                }
            }
        }
        // A fact may name an agent: `blocks gptbot`, `blocks gptbot by name`.
        let Some(place) = self.column_index("fact") else { return };
        for row in &mut self.rows {
            if let Some(AnswerCell::Text(text)) = row.get_mut(place)
                && let Some((verb, rest)) = text.split_once(' ')
            {
                let (agent, end) = rest.strip_suffix(BY_NAME).map_or((rest, ""), |agent| (agent, BY_NAME));
                if let Some(spelling) = spellings.get(agent) {
                    *text = format!("{verb} {spelling}{end}");
                }
            }
        }
    }

    /// Gives templates their names. A family has the code of its main template, but is more than that template.
    pub(crate) fn name_templates(&mut self, names: &BTreeMap<String, String>) {
        let Some((level, template)) = self.column_index("level").zip(self.column_index("template")) else { return };
        for row in &mut self.rows {
            if row.get(level).is_some_and(|level| level.is_text("template"))
                && let Some(AnswerCell::Text(text)) = row.get_mut(template)
                && let Some(name) = names.get(text)
            {
                text.clone_from(name);
            }
        }
    }

    /// Puts the rows of each crawl in the place of the crawl in this list, if the answer has them together. Most
    /// questions order crawls by name.
    pub(crate) fn order_crawls(&mut self, crawls: &[String]) {
        let Some(column) = self.column_index("crawl") else { return };
        let place = |row: &Vec<AnswerCell>| match row.get(column) {
            Some(AnswerCell::Text(crawl)) => crawls.iter().position(|other| other == crawl),
            _ => None,
        };
        let mut runs: Vec<Option<usize>> = self.rows.iter().map(place).collect();
        runs.dedup();
        if runs.iter().collect::<BTreeSet<_>>().len() == runs.len() {
            self.rows.sort_by_key(place);
        }
    }

    /// The whole answer as CSV, as `robocensus query --format csv` writes it.
    pub(crate) fn csv(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut out = output::start_answer(Manner::plain(AnswerFormat::Csv), &self.schema, &mut text)?;
        self.batches.iter().try_for_each(|batch| out.write(batch))?;
        out.finish()?;
        Ok(text)
    }

    /// The index of a column.
    pub(crate) fn column_index(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| name == column)
    }

    /// The value of a row in a column; `Null` if there is no such column.
    pub(crate) fn cell<'r>(&self, row: &'r [AnswerCell], column: &str) -> &'r AnswerCell {
        self.column_index(column).and_then(|place| row.get(place)).unwrap_or(&AnswerCell::Null)
    }

    /// The values of a column.
    pub(crate) fn column(&self, name: &str) -> impl Iterator<Item = &AnswerCell> {
        let place = self.column_index(name);
        self.rows.iter().filter_map(move |row| row.get(place?))
    }

    /// Whether a column has a numeric type. A text column is not numeric, even if its texts look like numbers.
    pub(crate) fn is_numeric(&self, place: usize) -> bool {
        self.schema.fields().get(place).is_some_and(|field| field.data_type().is_numeric())
    }
}

fn read_cell(array: &ArrayRef, row: usize) -> Result<AnswerCell, ArrowError> {
    if array.is_null(row) {
        return Ok(AnswerCell::Null);
    }
    Ok(match array.data_type() {
        DataType::Int64 => AnswerCell::Whole(array.as_primitive::<Int64Type>().value(row)),
        DataType::Int32 => AnswerCell::Whole(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Float64 => AnswerCell::Real(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => AnswerCell::Flag(array.as_boolean().value(row)),
        DataType::Utf8 => AnswerCell::Text(shorten(array.as_string::<i32>().value(row))),
        _ => {
            let formatter = ArrayFormatter::try_new(array, &FormatOptions::default())?;
            AnswerCell::Text(shorten(&formatter.value(row).try_to_string()?))
        }
    })
}
