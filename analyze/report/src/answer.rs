//! The answer to a question, as a figure needs it.

use crate::words;
use analyze::output::{self, Format, Ink, Manner, Text};
use datafusion::arrow::array::types::{Float64Type, Int32Type, Int64Type};
use datafusion::arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use std::io;

/// A value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// There is none.
    Null,
    /// A number that is exact.
    Whole(i64),
    /// A number that need not be.
    Real(f64),
    /// Whether something is so.
    Flag(bool),
    /// A text, shown and short, whoever wrote it.
    Text(String),
}

impl Cell {
    /// Its number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Cell::Whole(number) => Some(*number as f64),
            Cell::Real(number) if number.is_finite() => Some(*number),
            _ => None,
        }
    }
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// The names of its columns.
    pub(crate) columns: Vec<String>,
    /// Its rows.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Answer {
    /// Reads what a statement answered.
    pub(crate) fn of(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, ArrowError> {
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                rows.push(batch.columns().iter().map(|column| cell(column, row)).collect::<Result<_, _>>()?);
            }
        }
        Ok(Answer { schema, batches, columns, rows })
    }

    /// All of it as CSV, as `robocensus query --format csv` writes it.
    pub(crate) fn csv(&self) -> io::Result<Vec<u8>> {
        let manner = Manner { format: Format::Csv, text: Text::Neutralised, ink: Ink::Plain };
        let mut text = Vec::new();
        let mut out = output::begin(manner, &self.schema, &mut text)?;
        self.batches.iter().try_for_each(|batch| out.write(batch))?;
        out.finish()?;
        Ok(text)
    }

    /// Which column has a name.
    pub(crate) fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| name == column)
    }

    /// The values of a column.
    pub(crate) fn column(&self, name: &str) -> impl Iterator<Item = &Cell> {
        let place = self.place(name);
        self.rows.iter().filter_map(move |row| row.get(place?))
    }

    /// Whether the numbers of a column stand to the right: they are none that anybody wrote.
    pub(crate) fn is_of_numbers(&self, place: usize) -> bool {
        self.schema.fields().get(place).is_some_and(|field| field.data_type().is_numeric())
    }
}

fn cell(array: &ArrayRef, row: usize) -> Result<Cell, ArrowError> {
    if array.is_null(row) {
        return Ok(Cell::Null);
    }
    Ok(match array.data_type() {
        DataType::Int64 => Cell::Whole(array.as_primitive::<Int64Type>().value(row)),
        DataType::Int32 => Cell::Whole(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Float64 => Cell::Real(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Cell::Flag(array.as_boolean().value(row)),
        DataType::Utf8 => Cell::Text(words::short(array.as_string::<i32>().value(row))),
        _ => {
            let formatter = ArrayFormatter::try_new(array, &FormatOptions::default())?;
            Cell::Text(words::short(&formatter.value(row).try_to_string()?))
        }
    })
}
